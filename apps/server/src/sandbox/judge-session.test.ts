import { expect, test } from 'vitest'
import type { ResultReason } from '@beadloom/core/log/event-line.ts'
import type { Exit } from '../ports/sandbox.ts'
import { judgeSession, type SessionEvidence } from './judge-session.ts'

const exit = (over: Partial<Exit> = {}): Exit => ({
  code: 0,
  oomKilled: false,
  lost: false,
  startedAt: 0,
  finishedAt: 1,
  ...over,
})
const result = (outcome: 'success' | 'failed' | 'turn_limit', text = 'as it says') =>
  ({ type: 'result', n: 1, at: 0, outcome, text, commit: null, dirty: false, savedRef: null, exitCode: null }) as const
const judge = (over: Partial<SessionEvidence>) =>
  judgeSession({
    exit: exit(),
    recorded: { result: result('success'), messages: [] },
    stopped: null,
    speaks: true,
    ...over,
  })

test('a session that ended by itself with success and exit code 0 succeeded', () => {
  expect(judge({})).toEqual({ outcome: 'success', detail: 'as it says', blocked: null, cause: null })
})

test('a claim of success with another exit code is no success', () => {
  expect(judge({ exit: exit({ code: 1 }) }).outcome).toBe('failed')
})

test("a missing result is our trouble, not the agent's failure", () => {
  expect(judge({ recorded: { result: null, messages: [] }, exit: exit({ code: 137 }) })).toMatchObject({
    outcome: 'infra_error',
    detail: expect.stringContaining('137'),
  })
})

test('a kill that was not ours is named', () => {
  const verdict = judge({ recorded: { result: null, messages: [] }, exit: exit({ code: 137, killed: true }) })
  expect(verdict).toMatchObject({ outcome: 'infra_error', detail: expect.stringContaining('killed from outside') })
})

test.each([
  ['Docker was asked to', { code: 137, killed: true, outside: true }, null],
  ['its process got a signal that was not ours', { code: 143 }, 'stopped'],
  ['Docker went down', { code: 137, lost: true }, null],
  ['and it ended with a failure of its own', { code: 1, outside: true }, 'agent_failed'],
] as const)('a stop from outside is our trouble, not the agent’s failure: %s', (_, over, reason) => {
  const said = reason === null ? null : { ...result('failed', 'the session was stopped'), reason }
  const verdict = judge({ exit: exit(over), recorded: { result: said, messages: [] } })
  expect(verdict).toMatchObject({ outcome: 'infra_error', cause: 'stopped_outside' })
})

test('work done before the stop counts as done', () => {
  expect(judge({ exit: exit({ outside: true }) }).outcome).toBe('success')
})

test('running out of memory is named, with the setting that helps', () => {
  const verdict = judge({ recorded: { result: null, messages: [] }, exit: exit({ code: 137, oomKilled: true }) })
  expect(verdict.detail).toContain('memoryMb')
})

test('a child that ran out of memory does not spoil a session that continued and succeeded', () => {
  expect(judge({ exit: exit({ oomKilled: true }) }).outcome).toBe('success')
})

test.each([
  [{ stop: 'cancelled' }, 'cancelled'],
  [{ stop: 'timeout', reason: 'silence' }, 'timeout'],
  [{ stop: 'timeout', reason: 'wall_clock' }, 'timeout'],
  [{ stop: 'budget', limit: { scope: 'session', limit: 9 } }, 'failed'],
] as const)('our own actions count before all its claims: %o', (stopped, outcome) => {
  expect(
    judge({ stopped, exit: exit({ code: 137 }), recorded: { result: result('success'), messages: ['BLOCKED: no'] } })
      .outcome,
  ).toBe(outcome)
})

test("BLOCKED in the agent's own words counts before its result", () => {
  expect(judge({ recorded: { result: result('failed'), messages: ['I tried.\nBLOCKED: no key'] } })).toEqual({
    outcome: 'blocked',
    detail: 'no key',
    blocked: 'no key',
    cause: null,
  })
})

test("an agent that failed because no call was answered is reported in the gateway's words, with its own if they differ", () => {
  const problem = 'the model endpoint http://up answered 500: oh no; gave up after 4 calls'
  const told = (text: string, reason: ResultReason | null = 'agent_failed') => {
    const ended = result(reason ? 'failed' : 'success', text)
    return judge({
      problem: { text: problem, trouble: 'model_unreachable' },
      recorded: { result: { ...ended, ...(reason && { reason }) }, messages: [] },
    }).detail
  }
  expect(told(`the agent failed: 500 ${problem}`)).toBe(problem)
  expect(told('the agent failed: We’re experiencing high demand.')).toBe(
    `${problem} (the agent failed: We’re experiencing high demand)`,
  )
  expect(told(`the agent ended with exit code 1\n${'x'.repeat(1000)}`).length).toBeLessThan(400)
  expect(told('the branch has moved', 'push_conflict')).toBe('the branch has moved')
  expect(told('the agent ended with exit code 0', null)).toBe('the agent ended with exit code 0')
})

test("its model's trouble is the reason only if its agent failed because of it", () => {
  const problem = { text: 'the model endpoint http://up answered 429', trouble: 'model_busy' } as const
  const causeOf = (reason: ResultReason, outcome: 'failed' | 'success' = 'failed') =>
    judge({ problem, recorded: { result: { ...result(outcome), reason }, messages: [] } }).cause
  expect(causeOf('agent_failed')).toBe('model_busy')
  expect(causeOf('model_failed')).toBe('model_busy')
  expect(causeOf('push_conflict')).toBeNull()
  expect(causeOf('agent_failed', 'success')).toBeNull()
})

test('an agent that the kernel killed because memory ran out counts as out of memory, even if its session lived to report it', () => {
  const recorded = (exitCode: number) => ({
    result: { ...result('failed'), reason: 'agent_failed' as const, exitCode },
    messages: [],
  })
  const ended = { code: 1, oomKilled: true }
  expect(judge({ exit: exit(ended), recorded: recorded(137) })).toMatchObject({
    outcome: 'infra_error',
    cause: 'out_of_memory',
  })
  // The kernel killed something else, and the agent ended by itself.
  expect(judge({ exit: exit(ended), recorded: recorded(1) }).outcome).toBe('failed')
  expect(judge({ exit: exit({ code: 1 }), recorded: recorded(137) }).outcome).toBe('failed')
})

test('a session without an agent cannot be blocked by its output', () => {
  expect(
    judge({ speaks: false, recorded: { result: result('success'), messages: ['BLOCKED: says a test'] } }).outcome,
  ).toBe('success')
})

test('a container that Docker lost says nothing about the work', () => {
  expect(judge({ exit: exit({ lost: true, code: 143 }) }).outcome).toBe('infra_error')
})
