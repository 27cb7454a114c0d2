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
  const order = {
    work: {
      kind: 'work',
      agent: { name: 'preset' },
      prompt: 'Do the task',
      ...(continues !== undefined && { continues }),
    },
  }
  const spoken = spokenMessages(live, { id: third, order, container } as unknown as SessionPlan)
  return spoken.toAdd(() => 'Do the task', false).map(({ id }) => id)
}

test('an agent that continues a conversation keeps what was said to it, and nothing that was said beside it', () => {
  expect(addedTo('c1', 'Go on')).toEqual([1])
  expect(addedTo('c2', 'Go on')).toEqual([2])
  expect(addedTo('c1')).toEqual([])
})

const [prompt, bash] = ['You work on a task of the project x', { name: 'Bash' }]
const requestOf = (system: string, content: string, tools: object[] = [bash, { name: 'Task' }]) =>
  JSON.stringify({ system: [{ type: 'text', text: system }], tools, messages: [{ role: 'user', content }] })
const [worker, helper] = ['You are an agent that works', 'You are a helper that searches']

/** An agent to which somebody says a second thing after the first was delivered to it. */
function spokenTo(name: string) {
  const messages: object[] = []
  const one = { by: 'Ada', text: 'this way', when: 'step' }
  const store = { messages: () => messages, messageReaders: () => [first] }
  const live = { id: execution, deps: { store, recorder: {} } } as unknown as LiveExecution
  const order = { work: { kind: 'work', prompt, agent: { name } } }
  const spoken = spokenMessages(live, { id: first, order } as unknown as SessionPlan)
  return {
    say: () =>
      messages.push(
        {
          ...one,
          id: 1,
          state: 'delivered',
          delivered: { session: first, through: 'gateway' },
          place: { at: 1, after: '' },
        },
        { ...one, id: 2, state: 'waiting', place: null },
      ),
    added: (request: string, isSummary = false) => spoken.toAdd(() => request, isSummary).map(({ id }) => id),
  }
}

test("a message waits while a sub-agent works, and is for its agent's next call", () => {
  for (const name of ['preset', 'command']) {
    const { say, added } = spokenTo(name)
    added(requestOf(worker, prompt))
    say()
    for (let call = 1; call <= 9; call += 1) {
      expect(added(requestOf(helper, 'Search the code'))).toEqual([])
      expect(added(requestOf(worker, 'Search the code', [bash]))).toEqual([])
    }
    expect(added(requestOf(worker, prompt))).toEqual([1, 2])
  }
})

test('an agent that has shortened its prompt away is known by its role and its tools', () => {
  const { say, added } = spokenTo('preset')
  added(requestOf(worker, prompt))
  say()
  const shortened = requestOf(worker, 'a summary', [{ name: 'Task' }, { name: 'Found' }, bash])
  expect([1, 2, 3, 4].map(() => added(shortened))).toEqual([[1], [1], [1], [1, 2]])
})

test('a server that has not seen the prompt of a known agent tells it nothing new before it does', () => {
  const { say, added } = spokenTo('preset')
  say()
  for (let call = 1; call <= 9; call += 1) expect(added(requestOf(helper, 'Search the code'))).toEqual([1])
  expect(added(requestOf(worker, prompt))).toEqual([1, 2])
})

test('an agent that never sends its prompt as it is hears a message after some calls', () => {
  const { say, added } = spokenTo('command')
  say()
  expect([1, 2, 3, 4].map((call) => added(requestOf(`${worker} ${call}`, 'x')))).toEqual([[1], [1], [1], [1, 2]])
})

test('a question for a summary has what its agent knows, and no new message', () => {
  const { say, added } = spokenTo('preset')
  say()
  expect(added(requestOf(helper, `${prompt} summarize`), true)).toEqual([1])
})
