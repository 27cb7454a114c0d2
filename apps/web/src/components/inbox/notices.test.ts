import { expect, test } from 'vitest'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { WORK_BRANCH_BEAD } from '@beadloom/core/review/review-beads.ts'
import { grouped, isSettled, newestFirst, noticeOf, projectNotices, TOGETHER_MS, type Notice } from './notices.ts'
import { sampleProject } from '../../feed/testing/sample-project.ts'

const ended = (given: Partial<ExecutionView>): ExecutionView =>
  ({
    id: 'ex-1',
    kind: 'work',
    bead: 'b-1',
    beadTitle: 'Title',
    state: 'FAILED',
    reason: 'tests_failed',
    detail: 'The tests cannot run',
    blockedReason: null,
    flags: [],
    endedAt: 1000,
    ...given,
  }) as ExecutionView
const at = (id: string, about: string, time: number): Notice => ({
  id,
  about,
  at: time,
  word: '',
  tone: 'failed',
  text: '',
  place: { is: 'sync' },
})

test('work that waits for a person, at a limit or between two phases, is a notice until it may continue', () => {
  const waits = {
    kind: 'budget',
    scope: 'bead',
    unit: 'tokens',
    limit: 100_000,
    used: 100_000,
    since: 700,
    until: 9000,
    currency: 'USD',
  } as const
  expect(noticeOf(ended({ state: 'RUNNING', endedAt: null, waits }))).toMatchObject({
    word: 'waits for budget',
    at: 700,
    text: '100k of 100k tokens used by this bead',
    place: { is: 'bead' },
  })
  const granted = { ...waits, granted: true } as const
  expect(noticeOf(ended({ state: 'RUNNING', endedAt: null, waits: granted }))).toBeNull()
  const phase = { kind: 'phase', after: 2, since: 500, continued: false } as const
  const waiting = ended({ state: 'RUNNING', endedAt: null, waits: phase })
  expect(noticeOf(waiting)).toMatchObject({ word: 'waits for you after phase 2', at: 500, place: { is: 'bead' } })
  expect(noticeOf({ ...waiting, waits: { ...phase, continued: true } })).toBeNull()
})

test('a question of a plan names the subtask that asks', () => {
  const detail = 'Subtask 2a "Users" (2 of 4): The agent stopped: MIT or GPL?'
  const progress = { phase: 2, of: 3 } as ExecutionView['progress'] & object
  expect(noticeOf(ended({ state: 'BLOCKED', detail, blockedReason: 'MIT or GPL?', progress }))?.text).toBe(detail)
})

test('a question is settled once its bead has run again, was closed or reopened, and not while that is unknown', () => {
  const notice = noticeOf(ended({ state: 'BLOCKED', reason: null, blockedReason: 'Which licence?' }))
  expect(notice?.waits).toEqual({ bead: 'b-1', execution: 'ex-1', answer: true })
  const knowing = (card: { status: 'blocked' | 'done' | 'open' | 'in_progress'; execution: string } | null) =>
    isSettled(notice ?? {}, { beads: new Map(card ? [['b-1', card]] : []), executions: new Map() })
  expect(knowing(null)).toBe(false)
  expect(knowing({ status: 'blocked', execution: 'ex-1' })).toBe(false)
  expect(knowing({ status: 'blocked', execution: 'ex-2' })).toBe(true)
  for (const status of ['done', 'open', 'in_progress'] as const)
    expect(knowing({ status, execution: 'ex-1' })).toBe(true)
})

test('a question is a notice with the way to answer it, and settled once it is answered', () => {
  const asked = {
    kind: 'pause',
    since: 700,
    until: 900,
    atEnd: 'resume',
    by: '',
    held: true,
    question: 'Which?',
  } as const
  const live = ended({ state: 'RUNNING', endedAt: null, waits: asked })
  const notice = noticeOf(live)!
  expect(notice).toMatchObject({ word: 'needs you', at: 700, text: 'Which?', waits: { answer: true, since: 700 } })
  const now = (execution: ExecutionView) =>
    isSettled(notice, { beads: new Map(), executions: new Map([[execution.id, execution]]) })
  expect(now(live)).toBe(false)
  expect(now({ ...live, waits: { ...asked, resumed: true } })).toBe(true)
  expect(now({ ...live, waits: null })).toBe(true)
  expect(now({ ...live, waits: { ...asked, since: 800, question: 'And which of those?' } })).toBe(true)
  const { question: _, ...paused } = asked
  expect(noticeOf({ ...live, waits: paused })).toBeNull()
})

test('work that waited at a limit is settled once it may continue or has ended', () => {
  const limit = { scope: 'bead', unit: 'tokens', limit: 1, used: 1, since: 7, until: 9, currency: 'USD' } as const
  const waits = { kind: 'budget', ...limit } as const
  const live = ended({ state: 'RUNNING', endedAt: null, waits })
  const notice = noticeOf(live) ?? {}
  const now = (one: ExecutionView | null) =>
    isSettled(notice, { beads: new Map(), executions: new Map(one ? [[one.id, one]] : []) })
  expect(now(live)).toBe(false)
  expect(now({ ...live, waits: { ...waits, granted: true } })).toBe(true)
  expect(now(null)).toBe(true)
  expect(isSettled({}, { beads: new Map(), executions: new Map() })).toBe(false)
})

test('a plan that waits for approval is a notice, unlike an approved one, or one that fits one session', () => {
  const planning = ended({ kind: 'plan', state: 'COMPLETED', reason: null, chosen: { planning: { approve: 'ask' } } })
  const waits = { version: 1, phased: true, approved: false }
  expect(noticeOf(planning, { plan: waits })?.word).toBe('has a plan for you to approve')
  expect(noticeOf(planning, { plan: { ...waits, approved: true } })).toBeNull()
  expect(noticeOf(planning, { plan: { ...waits, phased: false } })).toBeNull()
  expect(noticeOf({ ...planning, chosen: {} }, { plan: waits })).toBeNull()
})

test.each<[string, Partial<ExecutionView>, string | null]>([
  ['a failure', {}, 'failed: tests cannot run'],
  ['checks that kept failing', { reason: 'verification_exhausted', attempt: 3 }, 'checks failed 3 times'],
  ['a timeout', { state: 'TIMEOUT', reason: 'silence' }, 'timed out: no output'],
  ['a question', { state: 'BLOCKED', blockedReason: 'Which port?' }, 'needs you'],
  ['a review that ended', { kind: 'review', state: 'COMPLETED' }, 'review finished'],
  ['a review that failed', { kind: 'review' }, 'review failed'],
  [
    'work that weakened tests',
    { state: 'COMPLETED', flags: [{ kind: 'tampered', text: 'x' }] },
    'done, but tests were weakened',
  ],
  ['work that came to its end', { state: 'COMPLETED' }, null],
  ['work that a person stopped', { state: 'CANCELLED' }, null],
  ['work that goes on', { state: 'RUNNING', endedAt: null }, null],
])('a notice for %s has these words, or does not exist', (_, given, word) => {
  expect(noticeOf(ended(given))?.word ?? null).toBe(word)
})
test('a notice leads to its subject', () => {
  expect(noticeOf(ended({}))?.place).toEqual({ is: 'bead', bead: 'b-1' })
  expect(noticeOf(ended({ kind: 'review', state: 'COMPLETED', bead: WORK_BRANCH_BEAD }))?.place).toEqual({
    is: 'review',
    review: 'ex-1',
    bead: null,
  })
})
test('the words of an agent are bounded', () => {
  expect(noticeOf(ended({ state: 'BLOCKED', blockedReason: 'a'.repeat(10_000) }))?.text.length).toBeLessThan(4100)
  expect(noticeOf(ended({ detail: 'a'.repeat(10_000) }))?.text.length).toBeLessThan(400)
})
test('a project reports its problems and the result of its pull request', () => {
  const tracker = { kind: 'bd', text: '', writable: true, waiting: 2, problem: 'locked' }
  const quiet = { ...sampleProject(), problem: null, tracker: { ...tracker, problem: '' }, pullRequest: null }
  expect(projectNotices(quiet, 5)).toEqual([])
  expect(projectNotices({ ...quiet, problem: 'no such folder', tracker }, 5)).toMatchObject([
    { about: 'Project', word: 'cannot run', at: 5 },
    { about: 'Tracker', word: 'cannot be updated', text: 'locked' },
  ])
  const pullRequest = { id: 'pr-1', state: 'not_ready', detail: 'no', endedAt: 7, review: 'ex-3' } as never
  expect(projectNotices({ ...quiet, pullRequest }, 5)).toMatchObject([
    { word: 'pull request not ready', at: 7, place: { is: 'review', review: 'ex-3' } },
  ])
})
test('events of one bead within five minutes are one row', () => {
  const rows = grouped(
    newestFirst([
      at('4', 'b-1', 100 + 2 * TOGETHER_MS + 1),
      at('1', 'b-1', 100),
      at('3', 'b-1', 100 + TOGETHER_MS),
      at('2', 'b-2', 200),
    ]),
  )
  expect(rows.map(({ newest, older }) => [newest.id, older.map(({ id }) => id)])).toEqual([
    ['4', []],
    ['3', ['1']],
    ['2', []],
  ])
})

test('autopilot that has paused itself is a notice, once for its reason; running autopilot is not', () => {
  const brake = { code: 'autopilot_paused', text: 'autopilot paused itself: the last 3 beads …', beads: ['a'] } as const
  const project = { ...sampleProject(), brake: { ...brake, beads: ['a'] } }
  const notices = projectNotices(project, 5).filter(({ about }) => about === 'Autopilot')
  expect(notices).toMatchObject([{ word: 'paused itself', text: brake.text, at: 5 }])
  expect(projectNotices(project, 9).map(({ id }) => id)).toEqual(projectNotices(project, 5).map(({ id }) => id))
  expect(projectNotices(sampleProject(), 5).filter(({ about }) => about === 'Autopilot')).toEqual([])
})

test('a failure is settled once its bead has run again or is done, and a plan once it is approved', () => {
  const failure = noticeOf(ended({})) ?? {}
  const plan = { version: 1, phased: true, approved: false }
  const planning = ended({ kind: 'plan', state: 'COMPLETED', reason: null, chosen: { planning: { approve: 'ask' } } })
  const approval = noticeOf(planning, { plan }) ?? {}
  type Known = Parameters<typeof isSettled>[1]
  const knowing = (notice: object, card: { status: string; execution: string; plan?: typeof plan } | null) =>
    isSettled(notice, { beads: new Map(card ? [['b-1', card]] : []), executions: new Map() } as Known)
  for (const notice of [failure, approval]) {
    expect(knowing(notice, null)).toBe(false)
    expect(knowing(notice, { status: 'in_progress', execution: 'ex-1', plan })).toBe(false)
    expect(knowing(notice, { status: 'open', execution: 'ex-1', plan })).toBe(false)
    expect(knowing(notice, { status: 'in_progress', execution: 'ex-2', plan })).toBe(true)
    expect(knowing(notice, { status: 'done', execution: 'ex-1', plan })).toBe(true)
  }
  expect(knowing(approval, { status: 'open', execution: 'ex-1', plan: { ...plan, approved: true } })).toBe(true)
  // A review, and a planning that failed, have no card to show it.
  expect(noticeOf(ended({ kind: 'review' }))?.waits).toBeUndefined()
  expect(noticeOf(ended({ kind: 'plan' }))?.waits).toBeUndefined()
})

test('a broken base is one notice, however often it is proved, and nothing else says so', () => {
  const base = {
    state: 'broken',
    commit: 'a',
    text: 'setup fails: npm ci exits with 1.',
    by: 'setup',
    againAt: null,
    mendable: false,
    bead: null,
    startedAt: 1,
    endedAt: 2,
  } as const
  const project = { ...sampleProject(), problem: base.text, problemKind: 'base' as const, base, pullRequest: null }
  const notices = projectNotices(project, 5)
  expect(notices).toMatchObject([{ about: 'Base', word: 'is broken: nothing starts', at: 2, place: { is: 'board' } }])
  const later = { ...project, base: { ...base, commit: 'b', endedAt: 9 } }
  expect(projectNotices(later, 9).map(({ id }) => id)).toEqual(notices.map(({ id }) => id))
  const red = { ...project, problem: null, problemKind: null, base: { ...base, state: 'red' as const, by: null } }
  expect(projectNotices(red, 5)).toMatchObject([{ about: 'Base', word: 'has failing checks', tone: 'blocked' }])
  for (const state of ['green', 'proving'] as const)
    expect(projectNotices({ ...red, base: { ...red.base, state } }, 5)).toEqual([])
})

test('a notice that waits for a person has its own row: a review of the same bead that ended a minute later does not hide it', () => {
  const question = noticeOf(ended({ state: 'BLOCKED', blockedReason: 'MIT or GPL?', endedAt: 1000 }))
  const review = noticeOf(
    ended({ id: 'ex-2' as ExecutionView['id'], kind: 'review', state: 'COMPLETED', endedAt: 61_000 }),
  )
  const earlier = noticeOf(
    ended({ id: 'ex-3' as ExecutionView['id'], kind: 'review', state: 'COMPLETED', endedAt: 500 }),
  )
  const rows = grouped(newestFirst([question, review, earlier].filter((one) => one !== null)))
  expect(rows.map(({ newest, older }) => [newest.word, older.length])).toEqual([
    ['review finished', 1],
    ['needs you', 0],
  ])
})

test('a question stays until its end', () => {
  const blockedReason = `${'Which of these licences? '.repeat(60)}MIT, or GPL?`
  expect(noticeOf(ended({ state: 'BLOCKED', blockedReason }))?.text).toBe(blockedReason)
})
