import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ExecutionId } from '@beadloom/core/records/ids.ts'
import { sessionIdOf } from '@beadloom/core/records/ids.ts'
import { WORK_BRANCH_BEAD } from '@beadloom/core/review/review-beads.ts'
import type { ReviewFilter } from '../../ports/store/reviews.ts'
import type { Store } from '../../ports/store.ts'
import { bead, demo, executionId, openTestStore, seededRandom, stepClock, tracked, world } from '../testing.ts'

let store: Store
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bl-reviews-'))
  store = openTestStore(join(folder, 'beadloom.db'), { clock: stepClock(), random: seededRandom() })
  world(store, ['bl-1', 'bl-2'])
})
afterEach(() => {
  store.close()
  rmSync(folder, { recursive: true, force: true })
})

const issue = (title: string, more: { file_path?: string } = {}) => ({
  title,
  description: 'It is wrong.',
  priority: 1,
  type: 'bug',
  severity: 'high' as const,
  file_path: 'src/a.ts',
  line_numbers: [3],
  outside_diff: false,
  ...more,
})

function ask(letter: string, target: string | null = 'bl-1', to = 'b'.repeat(40)) {
  return store.queueReview({
    id: executionId(letter),
    project: demo,
    bead: target === null ? null : bead(target),
    branch: 'beads-bl-1',
    context: '',
    maxAttempts: 2,
    from: 'a'.repeat(40),
    to,
  })
}

/** A review that was queued, judged, ended and filed. */
function reviewed(letter: string, titles: string[], target: string | null = 'bl-1', to = 'b'.repeat(40)): ExecutionId {
  const queued = ask(letter, target, to)
  if ('refused' in queued) throw new Error(queued.refused)
  store.startExecution(queued.id, 9_999_999)
  const issues = titles.map((title) => issue(title))
  store.judgeReview(queued.id, { verdict: 'not_ready', reasons: ['so'], summary: 'Hm.', issues })
  store.endExecution(queued.id, { state: 'COMPLETED', commit: to, detail: 'Not ready.' })
  store.fileReview(queued.id)
  return queued.id
}
const filed = (id: ExecutionId) => store.review(id)?.issues.map(({ filed: how, bead: its }) => [how, its])

describe('a review', () => {
  test('does not move its bead, and keeps the pinned commits', () => {
    reviewed('a', [])
    expect(store.bead(demo, bead('bl-1'))?.status).toBe('open')
    expect(store.execution(executionId('a'))).toMatchObject({ kind: 'review', baseCommit: 'a'.repeat(40) })
  })

  test('is refused while its bead has a live execution, and found while it lives', () => {
    ask('a')
    expect(ask('b')).toMatchObject({ refused: expect.stringContaining('live execution') })
    expect(store.reviewOf(demo, bead('bl-1'), 'c'.repeat(40))?.execution).toBe(executionId('a'))
  })

  test('is found again by its commit, and by no other', () => {
    const id = reviewed('a', [])
    expect(store.reviewOf(demo, bead('bl-1'), 'b'.repeat(40))?.execution).toBe(id)
    expect(store.reviewOf(demo, bead('bl-1'), 'c'.repeat(40))).toBeNull()
    expect(store.reviewOf(demo, null, 'b'.repeat(40))).toBeNull()
  })

  test('of the work branch has a bead that is in no tracker, and that a sync leaves alone', () => {
    reviewed('a', [], null)
    expect(store.bead(demo, WORK_BRANCH_BEAD)).toMatchObject({ ephemeral: true })
    expect(store.trackerQueue(demo, 9_999_999, 0, 100).map(({ bead: its }) => its)).not.toContain(WORK_BRANCH_BEAD)
    store.replaceBeads(demo, [tracked('bl-1')])
    expect(store.bead(demo, WORK_BRANCH_BEAD)?.trackerStatus).toBe('open')
    expect(store.review(executionId('a'))?.bead).toBeNull()
    expect(ask('b', null)).not.toHaveProperty('refused')
  })

  test('is listed newest first, by target and page by page', () => {
    const all = ['a', 'b', 'c', 'd'].map((letter) => reviewed(letter, [], letter === 'c' ? null : 'bl-1'))
    const ids = (filter: ReviewFilter) => store.reviews(demo, filter).map(({ execution }) => execution)
    expect(ids({ limit: 9 })).toEqual(all.toReversed())
    expect(ids({ limit: 9, bead: null })).toEqual([all[2]])
    expect(ids({ limit: 2, bead: bead('bl-1') })).toEqual([all[3], all[1]])
    expect(ids({ limit: 2, bead: bead('bl-1'), before: all[1]! })).toEqual([all[0]])
    expect(ids({ limit: 2, before: all[0]! })).toEqual([])
  })

  test('says which model reviews', () => {
    const id = reviewed('a', [])
    expect(store.review(id)?.model).toBeNull()
    store.noteReviewer(id, 'judge-1')
    expect(store.review(id)?.model).toBe('judge-1')
  })

  test('keeps each submission once, and goes with its project', () => {
    const id = reviewed('a', ['Wrong'])
    const session = sessionIdOf(id, 1)
    store.removeProject(demo)
    expect(store.review(id)).toBeNull()
    world(store, ['bl-1'])
    ask('a')
    store.startSession({ id: session, execution: id, number: 1, kind: 'work', attempt: 1 })
    for (const number of [1, 1, 2, 3]) store.keepAnswer(session, number, `answer ${number}`)
    expect(store.answers(id).map(({ text }) => text)).toEqual(['answer 1', 'answer 2'])
  })
})

describe('the issues of a review', () => {
  test('become one bead each, discovered from the reviewed one, once', () => {
    const id = reviewed('a', ['Wrong sum', 'Slow loop'])
    store.fileReview(id)
    expect(filed(id)).toEqual([
      ['new', 'bl-aaaaaar1'],
      ['new', 'bl-aaaaaar2'],
    ])
    expect(store.bead(demo, bead('bl-aaaaaar1'))).toMatchObject({
      title: 'Wrong sum',
      labels: ['beadloom', 'review'],
      dependencies: [{ dependsOn: 'bl-1', type: 'discovered-from' }],
    })
  })

  test('that are open already are not filed again, in whatever words', () => {
    reviewed('a', ['Wrong sum at line 3'])
    expect(filed(reviewed('b', ['wrong sum!', 'wrong sum'], null))).toEqual([
      ['known', 'bl-aaaaaar1'],
      ['known', 'bl-aaaaaar1'],
    ])
  })

  test('that are no longer found are credited, of the same target only', () => {
    reviewed('a', ['Wrong sum', 'Slow loop'])
    expect(store.review(reviewed('b', [], null))?.fixed).toEqual([])
    expect(store.review(reviewed('c', ['Slow loop']))?.fixed).toEqual(['bl-aaaaaar1'])
  })

  test('that come back after their bead was done are filed again', () => {
    reviewed('a', ['Wrong sum'])
    store.moveBead(demo, bead('bl-aaaaaar1'), { type: 'closed' })
    expect(filed(reviewed('b', ['Wrong sum']))).toEqual([['new', 'bl-bbbbbbr1']])
  })

  test('that a person dismissed stay dismissed', () => {
    const id = reviewed('a', ['Wrong sum'])
    expect(store.dismissIssue(id, 1, '')).toBe(true)
    expect(store.dismissIssue(id, 2, '')).toBe(false)
    expect(store.bead(demo, bead('bl-aaaaaar1'))?.status).toBe('done')
    expect(filed(reviewed('b', ['Wrong sum']))).toEqual([['dismissed', 'bl-aaaaaar1']])
  })

  test('say that nobody wants them, and why, in every review that has them', () => {
    const id = reviewed('a', ['Wrong sum', 'No test'])
    store.dismissIssue(id, 1, 'It is meant so.')
    const again = reviewed('b', ['Wrong sum', 'No test'])
    for (const one of [id, again])
      expect(store.review(one)?.issues.map(({ dismissed }) => dismissed)).toEqual(['It is meant so.', null])
  })

  test('whose bead was closed as dismissed in the tracker stay dismissed', () => {
    reviewed('a', ['Wrong sum'])
    const closed = { status: 'done' as const, trackerStatus: 'closed', raw: '{"close_reason":"dismissed"}' }
    store.replaceBeads(demo, [tracked('bl-1'), tracked('bl-aaaaaar1', closed)])
    expect(store.review(executionId('a'))?.issues[0]?.dismissed).toBe('dismissed')
    expect(filed(reviewed('b', ['Wrong sum']))).toEqual([['dismissed', 'bl-aaaaaar1']])
  })
})

describe('a dismissal that is taken back', () => {
  const dismissed = (id: ReturnType<typeof executionId>) =>
    store.review(id)?.issues.map((one) => one.dismissed !== null)
  const status = (id: string) => store.bead(demo, bead(id))?.status

  test('opens the bead again, and later reviews treat the issue like any other; both are events', () => {
    const id = reviewed('a', ['Wrong sum'])
    store.dismissIssue(id, 1, 'It is meant so.')
    expect(store.reopenIssue(id, 1)).toBe('reopened')
    expect([dismissed(id), status('bl-aaaaaar1')]).toEqual([[false], 'open'])
    expect(filed(reviewed('b', ['Wrong sum']))).toEqual([['known', 'bl-aaaaaar1']])
    const said = store.events(id, 0, 100).filter(({ type }) => type.startsWith('review_issue_'))
    expect(said.map(({ type, data }) => [type, data])).toEqual([
      ['review_issue_dismissed', { issue: 1, bead: 'bl-aaaaaar1' }],
      ['review_issue_reopened', { issue: 1, bead: 'bl-aaaaaar1' }],
    ])
  })

  test('leaves a bead closed that was fixed before, however often it was dismissed', () => {
    const id = reviewed('a', ['Wrong sum'])
    store.moveBead(demo, bead('bl-aaaaaar1'), { type: 'closed' })
    store.dismissIssue(id, 1, '')
    expect(store.reopenIssue(id, 1)).toBe('reopened')
    expect([dismissed(id), status('bl-aaaaaar1')]).toEqual([[false], 'done'])
    store.moveBead(demo, bead('bl-aaaaaar1'), { type: 'reopened' })
    for (const note of ['once', 'twice']) store.dismissIssue(id, 1, note)
    store.reopenIssue(id, 1)
    expect(status('bl-aaaaaar1')).toBe('open')
  })

  test('holds in every review that found the issue, and gives it a bead if it had none', () => {
    const first = reviewed('a', ['Wrong sum'])
    store.dismissIssue(first, 1, '')
    const second = reviewed('b', ['Wrong sum'])
    expect(store.reopenIssue(second, 1)).toBe('reopened')
    expect([dismissed(first), dismissed(second), status('bl-aaaaaar1')]).toEqual([[false], [false], 'open'])
    expect(filed(second)).toEqual([['known', 'bl-aaaaaar1']])
  })

  test('opens a bead that was closed as dismissed in the tracker', () => {
    const id = reviewed('a', ['Wrong sum'])
    const closed = { status: 'done' as const, trackerStatus: 'closed', raw: '{"close_reason":"dismissed"}' }
    store.replaceBeads(demo, [tracked('bl-1'), tracked('bl-aaaaaar1', closed)])
    expect(store.reopenIssue(id, 1)).toBe('reopened')
    expect([dismissed(id), status('bl-aaaaaar1')]).toEqual([[false], 'open'])
  })

  test('needs a dismissal', () => {
    const id = reviewed('a', ['Wrong sum'])
    expect(store.reopenIssue(id, 1)).toBe('not dismissed')
    expect(store.reopenIssue(id, 2)).toBe('missing')
  })
})

test('a commit is verified when all checks of one run of a verification passed on it', () => {
  const queued = ask('a')
  if ('refused' in queued) throw new Error(queued.refused)
  const session = sessionIdOf(queued.id, 1)
  store.startSession({ id: session, execution: queued.id, number: 1, kind: 'verify', attempt: 1 })
  const row = (step: number, passed: boolean, run = 1) => ({
    attempt: 1,
    purpose: 'attempt' as const,
    run,
    step,
    session,
    name: `step ${step}`,
    type: 'test' as const,
    command: 'true',
    commit: 'b'.repeat(40),
    passed,
    exitCode: passed ? 0 : 1,
    durationMs: 1,
    tool: 'generic',
    failures: null,
    collected: null,
    summary: '',
    digest: '',
    fingerprint: '',
    findings: [],
    verdict: null,
    at: 1,
  })
  store.addVerifications(queued.id, [row(1, true), row(2, false)])
  expect(store.isVerified(demo, 'b'.repeat(40))).toBe(false)
  expect(store.verifiedCommits(demo, 10)).toEqual([])
  const again = sessionIdOf(queued.id, 2)
  store.startSession({ id: again, execution: queued.id, number: 2, kind: 'verify', attempt: 1 })
  store.addVerifications(
    queued.id,
    [row(1, true, 2), row(2, true, 2)].map((one) => ({ ...one, session: again })),
  )
  expect(store.isVerified(demo, 'b'.repeat(40))).toBe(true)
  expect(store.verifiedCommits(demo, 10)).toEqual(['b'.repeat(40)])
  expect(store.isVerified(demo, 'c'.repeat(40))).toBe(false)
})
