import { expect, test } from 'vitest'
import { parseExecutionId, sessionIdOf } from '@beadloom/core/records/ids.ts'
import { readers } from './spoken-messages.ts'

const execution = parseExecutionId('ex-aaaaaaaaaa')
const [first, second, review] = [1, 2, 3].map((number) => sessionIdOf(execution, number)) as [never, never, never]

/** Two subtasks and the reviewer of their phase; `ended` work no more. */
function reader(to: string | undefined, ended: readonly string[] = []) {
  const sessions = [first, second, review].map((id) => ({
    id,
    kind: 'work',
    state: ended.includes(id) ? 'ended' : 'running',
  }))
  const store = { sessions: () => sessions, phaseSessions: () => [{ id: review, role: 'review' }] } as never
  return readers(store, execution)(to === undefined ? {} : { to: to as never })
}

test('a message is for the session that it names while that works, else for the one that has worked longest', () => {
  expect(reader(second)).toBe(second)
  expect(reader(undefined)).toBe(first)
  expect(reader(second, [second])).toBe(first)
  expect(reader(first, [first])).toBe(second)
})

test('the reviewer of a phase reads none: it would be delivered, and nobody would do it', () => {
  expect(reader(undefined, [first, second])).toBeUndefined()
})
