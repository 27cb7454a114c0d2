import { expect, test } from 'vitest'
import { parseExecutionId, sessionIdOf } from '@beadloom/core/records/ids.ts'
import type { LiveExecution } from '../execution/live-execution.ts'
import type { SessionPlan } from './session-plan.ts'
import { readerOf, spokenMessages } from './spoken-messages.ts'

const execution = parseExecutionId('ex-aaaaaaaaaa')
const [first, second] = [1, 2].map((number) => sessionIdOf(execution, number)) as [never, never]

test('a message is for the session that it names while that works, else for the one that has worked longest', () => {
  expect(readerOf({ to: second }, [first, second])).toBe(second)
  expect(readerOf({}, [first, second])).toBe(first)
  expect(readerOf({ to: second }, [first])).toBe(first)
  expect(readerOf({ to: first }, [second])).toBe(second)
  expect(readerOf({ to: first }, [])).toBeUndefined()
})

/** The messages that are added to a call of the third session: one that each of the first two was told. */
function addedTo(container: string, continues?: string): number[] {
  const third = sessionIdOf(execution, 3)
  const sessions = [first, second, third].map((id, at) => ({ id, container: at === 2 ? null : `c${at + 1}` }))
  const messages = [first, second].map((session, at) => ({
    id: at + 1,
    by: 'Ada',
    text: 'this way',
    state: 'delivered',
    delivered: { session, through: 'gateway' },
    place: { at: 1, after: 'x' },
  }))
  const store = { messages: () => messages, messageReaders: () => [third], sessions: () => sessions }
  const live = { id: execution, deps: { store, recorder: {} } } as unknown as LiveExecution
  const order = { work: { kind: 'work', prompt: 'Do the task', ...(continues !== undefined && { continues }) } }
  const spoken = spokenMessages(live, { id: third, order, container } as unknown as SessionPlan)
  return spoken.toAdd(() => 'Do the task').map(({ id }) => id)
}

test('an agent that continues a conversation keeps what was said to it, and nothing that was said beside it', () => {
  expect(addedTo('c1', 'Go on')).toEqual([1])
  expect(addedTo('c2', 'Go on')).toEqual([2])
  expect(addedTo('c1')).toEqual([])
})
