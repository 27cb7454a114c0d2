import { expect, test } from 'vitest'
import { signatureOf } from './signature.ts'

/** @param by who started it; undefined: autopilot */
const authorOf = async (by: string | undefined): Promise<string> => {
  const live = {
    id: 'ex-aaaaaaaaaa',
    settings: {},
    deps: {
      store: { startOfExecution: () => (by === undefined ? undefined : { action: 'queued', by }) },
      hub: { person: async () => ({ name: 'Owner', email: 'owner@example.org' }) },
    },
  }
  return (await signatureOf(live as never)).author.name
}

test('commits are by whoever ran the bead, else by the user of the server', async () => {
  expect(await authorOf('Ada')).toBe('Ada')
  expect(await authorOf('token')).toBe('Owner')
  expect(await authorOf(undefined)).toBe('Owner')
})
