import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ExecutionEnd } from '@beadloom/core/execution/execution.ts'
import { sessionIdOf, type ExecutionId, type SessionId } from '@beadloom/core/ids.ts'
import { expect, onTestFinished, test } from 'vitest'
import { unrecorded, type RecordedEvent } from '../ports/store/sessions.ts'
import type { Store } from '../ports/store.ts'
import { HandClock } from '../ports/testing/hand-clock.ts'
import { openStore } from './open-store.ts'
import { bead, demo, executionId, queued, seededRandom, world } from './testing.ts'

function open(ids: string[]): { store: Store; clock: HandClock } {
  const folder = mkdtempSync(join(tmpdir(), 'beadloom-figures-'))
  const clock = new HandClock()
  const store = openStore(join(folder, 'beadloom.db'), { clock, random: seededRandom() })
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

test('what was counted stays when its project goes', () => {
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

test('reviews are counted by verdict when they end, and what they file by severity', () => {
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
  // Apart from work, of which there was none.
  expect(counts(store, 'review_end')).toEqual({ COMPLETED: 2, CANCELLED: 1 })
  expect(counts(store, 'review_attempts')).toEqual({ 0: 3 })
  store.addRetry(executionId('b'), 'run', 'model_busy')
  expect(counts(store, 'review_retry')).toEqual({ 'run model_busy': 1 })
  expect([counts(store, 'end'), counts(store, 'attempts'), counts(store, 'retry')]).toEqual([{}, {}, {}])
  expect(counts(store, 'review')).toEqual({ not_ready: 2, '': 1 })
  expect(counts(store, 'review_issue')).toEqual({ high: 2, low: 1 })
})
