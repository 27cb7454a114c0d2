import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ExecutionEnd } from '@beadloom/core/records/execution.ts'
import type { SessionOutcome } from '@beadloom/core/records/session.ts'
import { nineSubtasks, planOf } from '@beadloom/core/plan/plan-kit.ts'
import { sessionIdOf, type ExecutionId, type SessionId } from '@beadloom/core/records/ids.ts'
import { expect, onTestFinished, test } from 'vitest'
import { unrecorded, type RecordedEvent } from '../ports/store/sessions.ts'
import type { Store } from '../ports/store.ts'
import { HandClock } from '../ports/testing/hand-clock.ts'
import { bead, demo, executionId, openTestStore, queued, seededRandom, tracked, world } from './testing.ts'

function open(ids: string[]): { store: Store; clock: HandClock } {
  const folder = mkdtempSync(join(tmpdir(), 'beadloom-figures-'))
  const clock = new HandClock()
  const store = openTestStore(join(folder, 'beadloom.db'), { clock, random: seededRandom() })
  onTestFinished(() => {
    store.close()
    rmSync(folder, { recursive: true })
  })
  world(store, ids)
  return { store, clock }
}

const counts = (store: Store, name: string) =>
  Object.fromEntries(
    store
      .figures()
      .flatMap((row) => (row.name === name ? [[[row.a, row.b].filter(Boolean).join(' '), row.value]] : [])),
  )

function startSession(store: Store, execution: ExecutionId, number: number, kind: 'work' | 'verify'): SessionId {
  return store.startSession({ id: sessionIdOf(execution, number), execution, number, kind, attempt: 1 }).id
}

test('ends are counted by state and reason, attempts once for each execution that had started', () => {
  const { store, clock } = open(['a', 'b', 'c'])
  const [a, b, c] = ['a', 'b', 'c'].map((id) => queued(store, id)) as [ExecutionId, ExecutionId, ExecutionId]
  for (const id of [a, b]) {
    clock.advance(4000)
    store.startExecution(id, clock.now() + 1)
  }
  store.noteExecution(a, { attempt: 2 })
  store.noteExecution(b, { attempt: 2 })
  store.endExecution(a, { state: 'COMPLETED', commit: 'c', detail: '' })
  store.endExecution(b, { state: 'FAILED', reason: 'no_progress', detail: '' })
  store.endExecution(c, { state: 'CANCELLED', detail: '' })
  expect(counts(store, 'end')).toEqual({ COMPLETED: 1, 'FAILED no_progress': 1, CANCELLED: 1 })
  expect(counts(store, 'attempts')).toEqual({ 2: 2 })
  // In the queue for about four and eight seconds.
  expect(counts(store, 'queue')).toEqual({ 5000: 1, 15000: 1 })
  expect(counts(store, 'queue_sum')['']).toBeGreaterThanOrEqual(11_900)
})

test('retries, tokens and steps of verifications are counted as they come', () => {
  const { store, clock } = open(['a'])
  const a = queued(store, 'a')
  store.startExecution(a, clock.now() + 1)
  const session = startSession(store, a, 1, 'work')
  store.addRetry(a, 'api_call', 'rate_limited')
  store.addRetry(a, 'api_call', 'rate_limited')
  store.addRetry(a, 'verification', 'verification_failed')
  store.addTokens(a, session, { input: 100, output: 7 })
  store.addTokens(a, session, { input: 50, output: 3 })
  const step = {
    attempt: 1,
    purpose: 'attempt' as const,
    run: 1,
    step: 1,
    session,
    name: 'test',
    type: 'test' as const,
    command: 'npm test',
    commit: 'c',
    passed: false,
    exitCode: 1,
    durationMs: 5,
    tool: 'generic',
    failures: 1,
    collected: null,
    summary: '',
    digest: '',
    fingerprint: '',
    findings: [],
    verdict: null,
    at: 1,
  }
  store.addVerifications(a, [step, { ...step, step: 2, type: 'lint', passed: true }])
  expect(counts(store, 'retry')).toEqual({ 'api_call rate_limited': 2, 'verification verification_failed': 1 })
  expect(counts(store, 'tokens')).toEqual({ input: 150, output: 10 })
  expect(counts(store, 'verification')).toEqual({ 'test failed': 1, 'lint passed': 1 })
})

test("the first event of an agent's container is timed, once; other sessions and the server's own events are not", () => {
  const { store, clock } = open(['a'])
  const a = queued(store, 'a')
  store.startExecution(a, clock.now() + 1)
  const at = (more: number, type = 'section'): RecordedEvent => ({ type, at: clock.now() + more, line: null, data: {} })
  const work = startSession(store, a, 1, 'work')
  store.addEvent(a, work, 'model_parked', {})
  store.commitRecord(work, { ...unrecorded, n: 2 }, [at(900), at(2000)])
  store.commitRecord(work, { ...unrecorded, n: 3 }, [at(70_000)])
  store.commitRecord(startSession(store, a, 2, 'verify'), { ...unrecorded, n: 1 }, [at(50)])
  expect(counts(store, 'first_event')).toEqual({ 1000: 1 })
  store.commitRecord(startSession(store, a, 3, 'work'), { ...unrecorded, n: 1 }, [at(999_999_999)])
  expect(counts(store, 'first_event')).toEqual({ 1000: 1, '-1': 1 })
})

test('complex beads are counted apart: with a plan, an epic, a feature, or the label for a plan', () => {
  const { store, clock } = open([])
  store.replaceBeads(demo, [
    tracked('a'),
    tracked('b', { type: 'epic' }),
    tracked('c', { type: 'feature' }),
    tracked('d', { labels: ['ui', 'plan'] }),
    tracked('e'),
  ])
  store.addPlan({ project: demo, bead: bead('e'), source: 'person', plan: planOf(nineSubtasks) })
  for (const [at, id] of ['a', 'b', 'c', 'd', 'e'].entries()) {
    const common = { project: demo, bead: bead(id), kind: 'work' as const, branch: id, context: '', maxAttempts: 3 }
    const execution = executionId(id)
    store.queueExecution({ ...common, id: execution, ...(id === 'e' && { planVersion: 1 }) })
    store.startExecution(execution, clock.now() + 1)
    for (let times = 0; times <= at; times++) store.addRetry(execution, 'run', 'agent_killed')
    store.endExecution(execution, { state: 'COMPLETED', commit: 'c', detail: '' })
  }
  expect(counts(store, 'end')).toEqual({ COMPLETED: 5 })
  expect(counts(store, 'complex_end')).toEqual({ COMPLETED: 4 })
  expect(counts(store, 'retry')).toEqual({ 'run agent_killed': 15 })
  expect(counts(store, 'complex_retry')).toEqual({ 'run agent_killed': 14 })
})

test('fresh starts after the first, handovers and sub-agents are counted', () => {
  const { store, clock } = open(['a'])
  store.replaceBeads(demo, [tracked('a'), tracked('b', { type: 'epic' })])
  const recorded = (id: string, ...events: [string, object][]) => {
    const execution = queued(store, id)
    store.startExecution(execution, clock.now() + 1)
    const session = startSession(store, execution, 1, 'work')
    const rows = events.map(([type, data]) => ({ type, at: clock.now(), line: null, data }))
    store.commitRecord(session, { ...unrecorded, n: 1 }, rows)
  }
  const sub = (what: string): [string, object] => ['sub_agent', { sub: 1, agent: 'reviewer', what, text: 'handover' }]
  recorded('a', ['fresh_start', { attempt: 1, maxAttempts: 3 }], sub('begin'), sub('handover'), sub('end'))
  recorded(
    'b',
    ['fresh_start', { attempt: 1, maxAttempts: 3 }],
    ['handover', { contextTokens: 9, windowTokens: 10, text: '' }],
    ['fresh_start', { attempt: 2, maxAttempts: 3 }],
    ['fresh_start', { attempt: 3, maxAttempts: 3 }],
  )
  expect(counts(store, 'fresh_start')).toEqual({ complex: 2 })
  expect(counts(store, 'handover')).toEqual({ simple: 1, complex: 1 })
  expect(counts(store, 'sub_agent')).toEqual({ simple: 1 })
})

test('a context counts as used up if an agent with a nearly full one did not end well, and its execution failed', () => {
  const { store, clock } = open(['a', 'b', 'c', 'd'])
  const ended = (id: string, tokens: number, outcome: SessionOutcome, end: ExecutionEnd) => {
    const execution = queued(store, id)
    store.startExecution(execution, clock.now() + 1)
    const session = startSession(store, execution, 1, 'work')
    const context = { tokens, window: 1000, peak: tokens, compactions: 0 }
    store.addTokens(execution, session, { input: 1, output: 1 }, { context })
    store.endSession(session, outcome, 1, '')
    store.endExecution(execution, end)
  }
  const failed: ExecutionEnd = { state: 'FAILED', reason: 'agent_failed', detail: '' }
  ended('a', 900, 'failed', failed)
  ended('b', 899, 'failed', failed)
  ended('c', 950, 'success', failed) // its checks found fault
  ended('d', 950, 'turn_limit', { state: 'COMPLETED', commit: 'c', detail: '' })
  expect(counts(store, 'context_used_up')).toEqual({ simple: 1 })
})

test('counts stay when their project goes', () => {
  const { store, clock } = open(['a'])
  const a = queued(store, 'a')
  store.startExecution(a, clock.now() + 1)
  store.addRetry(a, 'run', 'infra')
  store.endExecution(a, { state: 'TIMEOUT', reason: 'silence', detail: '' })
  store.removeProject(demo)
  expect(counts(store, 'end')).toEqual({ 'TIMEOUT silence': 1 })
  expect(counts(store, 'retry')).toEqual({ 'run infra': 1 })
})

test('cooldowns of models are kept until they are over', () => {
  const { store, clock } = open([])
  const until = clock.now() + 1000
  store.addCooldown({ model: 'gpt at x', until, why: 'busy' })
  store.addCooldown({ model: 'gpt at x', until: until + 1, why: 'busy still' })
  expect(store.cooldowns()).toEqual([{ model: 'gpt at x', until: until + 1, why: 'busy still' }])
  clock.advance(2000)
  store.addCooldown({ model: 'claude at y', until: until + 5000, why: 'busy' })
  expect(store.cooldowns().map(({ model }) => model)).toEqual(['claude at y'])
})

test("the lengths of an execution's first messages are read from its events", () => {
  const { store } = open(['a', 'b'])
  const [a, b] = [queued(store, 'a'), queued(store, 'b')]
  store.addEvent(a, null, 'prompt', { attempt: 1, chars: 900, taskChars: 100 })
  store.addEvent(a, null, 'warning', { attempt: 9, chars: 9, taskChars: 9 })
  store.addEvent(a, null, 'prompt', { attempt: 2, chars: 1100, taskChars: 100 })
  store.addEvent(b, null, 'prompt', { attempt: 'x' })
  expect(store.promptLengths(a)).toEqual([
    { attempt: 1, chars: 900, taskChars: 100 },
    { attempt: 2, chars: 1100, taskChars: 100 },
  ])
  expect(store.promptLengths(b)).toEqual([])
})

test('reviews are counted by verdict when they end, and their beads by severity', () => {
  const { store, clock } = open(['a'])
  const issue = (title: string, severity: 'high' | 'low') => ({
    title,
    description: 'It is wrong.',
    priority: 1,
    type: 'bug',
    severity,
    file_path: 'src/a.ts',
    line_numbers: [],
    outside_diff: false,
  })
  const review = (letter: string, issues: ReturnType<typeof issue>[], end: ExecutionEnd) => {
    const id = executionId(letter)
    const [from, to] = ['a'.repeat(40), letter.repeat(40)]
    store.queueReview({ id, project: demo, bead: bead('a'), branch: 'x', context: '', maxAttempts: 2, from, to })
    store.startExecution(id, clock.now() + 1)
    store.judgeReview(id, { verdict: 'not_ready', reasons: ['so'], summary: 'Hm.', issues })
    store.endExecution(id, end)
    if (end.state === 'COMPLETED') store.fileReview(id)
  }
  const good: ExecutionEnd = { state: 'COMPLETED', commit: 'c', detail: '' }
  review('b', [issue('One', 'high'), issue('Two', 'high'), issue('Three', 'low')], good)
  review('c', [issue('one', 'high')], good)
  review('d', [issue('Four', 'low')], { state: 'CANCELLED', detail: '' })
  // Reviews are counted apart from work; there was no work.
  expect(counts(store, 'review_end')).toEqual({ COMPLETED: 2, CANCELLED: 1 })
  expect(counts(store, 'review_attempts')).toEqual({ 0: 3 })
  store.addRetry(executionId('b'), 'run', 'model_busy')
  expect(counts(store, 'review_retry')).toEqual({ 'run model_busy': 1 })
  expect([counts(store, 'end'), counts(store, 'attempts'), counts(store, 'retry')]).toEqual([{}, {}, {}])
  expect(counts(store, 'review')).toEqual({ not_ready: 2, '': 1 })
  expect(counts(store, 'review_issue')).toEqual({ high: 2, low: 1 })
})
