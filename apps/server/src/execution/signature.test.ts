import { expect, test } from 'vitest'
import { signatureOf } from './signature.ts'

/** @param actions of people on the execution, the newest first, as the store gives them */
const authorOf = async (...actions: { action: string; by: string }[]): Promise<string> => {
  const live = {
    id: 'ex-aaaaaaaaaa',
    settings: {},
    deps: {
      store: { actionsOnExecution: () => actions },
      hub: { person: async () => ({ name: 'Owner', email: 'owner@example.org' }) },
    },
  }
  return (await signatureOf(live as never)).author.name
}

test('commits are by whoever ran the bead, and not by who said something to its agent', async () => {
  const told = { action: 'told', by: 'Bob' }
  expect(await authorOf(told, { action: 'queued', by: 'Ada' })).toBe('Ada')
  expect(await authorOf(told, { action: 'queued', by: 'token' })).toBe('Owner')
  expect(await authorOf(told)).toBe('Owner') // autopilot
})
