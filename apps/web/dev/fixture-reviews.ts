import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { PullRequestView } from '@beadloom/core/api/pull-requests/pull-request-api.ts'
import type { ReviewIssueView, ReviewView } from '@beadloom/core/api/reviews/review-api.ts'
import type { ExecutionState } from '@beadloom/core/records/execution.ts'
import type { BeadId } from '@beadloom/core/records/ids.ts'
import { WORK_BRANCH_BEAD } from '@beadloom/core/review/review-beads.ts'
import { bead, execution, now, type FixtureProject } from './fixture-data.ts'

/* Reviews in every state, made up: one for each state that a person may meet. */

const MINUTE = 60_000
const FROM = '3f2a9c1d5e7b90aa41c2'.padEnd(40, '0')
const TO = '9b1d0e4a7c3f0d12e6b8'.padEnd(40, '0')

export const issue = (number: number, title: string, given: Partial<ReviewIssueView> = {}): ReviewIssueView => ({
  number,
  title,
  description:
    'The offset is read with a regular expression that takes `+0200`, but `Date` only takes `+02:00`.\n\nEverything behind the first offset is then an invalid date:\n\n```ts\nnew Date("2026-03-29T01:30:00+0200")\n```\n\nPut the colon in before it is parsed.',
  priority: 1,
  type: 'bug',
  severity: 'high',
  file_path: 'src/date.ts',
  line_numbers: [12, 13, 14],
  outside_diff: false,
  filed: 'new',
  bead: `wc-rv${number}`,
  beadStatus: 'open',
  dismissed: null,
  ...given,
})

const many: ReviewIssueView[] = [
  issue(1, 'An invalid date is returned as if it were one', {
    severity: 'critical',
    priority: 0,
    line_numbers: [15],
    description: 'Nobody looks at `Number.isNaN(date.getTime())`, so that the caller writes “NaN” into the table.',
  }),
  issue(2, 'An offset without a colon is not parsed in Safari'),
  issue(3, 'The tests only know UTC \u202eedoc', {
    severity: 'medium',
    priority: 2,
    file_path: 'src/date.test.ts',
    line_numbers: [9, 10, 14, 21, 33, 40],
    filed: 'known',
    description: `Every case ends in \`Z\`. ${'A case with an offset, one without, and one at the change to summer time would have found the issues above. '.repeat(8)}`,
  }),
  issue(4, 'The pattern is compiled for every call <img src=x onerror=alert(1)>', {
    severity: 'low',
    priority: 3,
    type: 'chore',
    line_numbers: [],
    beadStatus: 'done',
  }),
  issue(5, 'The clock of the tests is the machine’s', {
    severity: 'medium',
    priority: 3,
    file_path: 'src/clock.ts',
    line_numbers: [88],
    outside_diff: true,
    beadStatus: 'done',
    dismissed: 'It is meant so: the clock is an argument since wc-f02.',
  }),
]

type Given = Partial<ReviewView> & { bead: string | null; state: ExecutionState }
type Made = { review: ReviewView; run: ExecutionView }

export function asReview(project: string, given: Given): Made {
  const target = given.bead ?? WORK_BRANCH_BEAD
  const ended = given.state !== 'QUEUED' && given.state !== 'RUNNING'
  const run = execution(project, target, given.state, {
    kind: 'review',
    branch: given.bead === null ? 'beadloom/work' : `beads-${given.bead}-something`,
    baseCommit: FROM,
    commit: TO,
    queuedAt: given.queuedAt ?? now - 20 * MINUTE,
    ...(given.state === 'QUEUED' ? {} : { startedAt: (given.queuedAt ?? now - 20 * MINUTE) + 20_000 }),
    activity: given.state === 'RUNNING' ? 'reading src/date.test.ts' : null,
    detail: given.detail ?? '',
  })
  const review: ReviewView = {
    id: run.id,
    project,
    branch: run.branch,
    from: FROM,
    to: TO,
    current: true,
    reason: null,
    detail: '',
    model: 'gpt-5-mini',
    session: run.sessions.at(-1)?.id ?? null,
    verdict: null,
    pr_ready: false,
    reasons: [],
    summary: '',
    issues: [],
    fixed: [],
    queuedAt: run.queuedAt,
    startedAt: given.state === 'QUEUED' ? null : run.queuedAt + 20_000,
    endedAt: ended ? run.queuedAt + 3 * MINUTE : null,
    ...given,
  }
  return { review, run }
}

/** Adds reviews to the demo: of its done beads, of one that runs, and of the work branch. */
export function withReviews(project: FixtureProject): FixtureProject {
  const p = project.view.id
  const of = (given: Given) => asReview(p, given)
  const all: Made[] = [
    of({ bead: 'wc-d21', state: 'RUNNING', queuedAt: now - MINUTE, session: null }),
    of({
      bead: 'wc-d20',
      state: 'QUEUED',
      queuedAt: now - 30_000,
      reason: { code: 'slots_in_use', text: '3 of 3 slots in use' },
    }),
    of({
      bead: null,
      state: 'COMPLETED',
      queuedAt: now - 9 * MINUTE,
      verdict: 'not_ready',
      reasons: ['the reviewer says that it is not ready', "the project's checks fail on this commit"],
      detail: 'Not ready for a pull request, 5 issues: the reviewer says that it is not ready.',
      summary:
        'Dates with an offset are parsed, tables keep their columns aligned, and the build is reproducible. The parsing is right in one browser only.',
      issues: many,
      fixed: [{ bead: 'wc-rv6', title: 'The table is drawn twice' }],
    }),
    of({
      bead: 'wc-f01',
      state: 'COMPLETED',
      queuedAt: now - 40 * MINUTE,
      verdict: 'not_ready',
      current: false,
      reasons: ['the reviewer says that it is not ready'],
      detail: 'Not ready for a pull request, 2 issues: the reviewer says that it is not ready.',
      summary: 'Words are split at soft hyphens.',
      issues: many.slice(0, 2).map((one) => ({ ...one, bead: `wc-rw${one.number}` })),
    }),
    of({
      bead: 'wc-f02',
      state: 'COMPLETED',
      queuedAt: now - 3 * 60 * MINUTE,
      verdict: 'ready',
      pr_ready: true,
      detail: 'Ready for a pull request: no issues.',
      summary: 'A workflow runs the tests on every push.',
    }),
    of({
      bead: 'wc-c11',
      state: 'COMPLETED',
      queuedAt: now - 5 * 60 * MINUTE,
      verdict: 'unparseable',
      model: null,
      detail:
        'Not approved: the reviewer gave no usable answer, also when it was asked again: the answer is not one JSON document.',
      reasons: [],
    }),
    of({
      bead: 'wc-77x',
      state: 'FAILED',
      queuedAt: now - 26 * 60 * MINUTE,
      detail: 'The container ended with code 137: it had used up its memory of 4 GiB. Give it more, or a smaller diff.',
    }),
    of({ bead: null, state: 'CANCELLED', queuedAt: now - 27 * 60 * MINUTE, detail: 'You stopped it.' }),
  ]
  project.beads.set('wc-77x', bead(p, { id: 'wc-77x', title: 'Read the word list from a URL', status: 'done' }))
  for (const { review } of all)
    for (const { bead: id, title, severity, beadStatus } of review.issues)
      if (id !== null)
        project.beads.set(
          id,
          bead(p, {
            id,
            title,
            status: beadStatus ?? 'open',
            labels: ['beadloom', 'review'],
            priority: severity === 'critical' ? 0 : 2,
          }),
        )
  project.beads.set('wc-rv6', bead(p, { id: 'wc-rv6', title: 'The table is drawn twice' }))
  for (const { run } of all) project.executions.set(run.id, { ...run, bead: run.bead as BeadId })
  // Work that was reviewed has run.
  for (const id of ['wc-77x', 'wc-f02']) {
    const run = execution(p, id, 'COMPLETED', { queuedAt: now - 30 * 60 * MINUTE })
    project.executions.set(run.id, run)
    const own = project.beads.get(id)
    if (own) own.execution = run.id
  }
  for (const { review } of all) {
    const own = review.bead === null || !review.current ? undefined : project.beads.get(review.bead)
    if (own && review.verdict !== null) own.review = { id: review.id, verdict: review.verdict }
  }
  project.reviews = all.map(({ review }) => review).toSorted((a, b) => b.queuedAt - a.queuedAt)
  project.view = { ...project.view, pullRequest: pullRequest(project, 'not_ready') }
  return project
}

export function pullRequest(
  { view, reviews }: FixtureProject,
  state: PullRequestView['state'],
  given: Partial<PullRequestView> = {},
): PullRequestView {
  const review = reviews.find((one) => one.bead === null)?.id ?? null
  const open = state === 'open' || state === 'pushed'
  return {
    id: 'pr-0000000001',
    project: view.id,
    state,
    branch: view.workBranch,
    base: view.baseBranch ?? 'main',
    commit: TO,
    title: 'Dates with an offset, aligned tables',
    review,
    forge: open ? 'github' : null,
    url:
      state === 'open'
        ? 'https://github.com/you/wordcraft/pull/17'
        : open
          ? 'https://git.example.org/you/wordcraft/-/compare'
          : null,
    number: state === 'open' ? 17 : null,
    detail:
      state === 'failed'
        ? 'The forge refused the token: it may not open pull requests. Give it the scope “repo”, then ask again.'
        : 'The review of 9b1d0e4 says that it is not ready: 5 issues.',
    askedAt: now - 10 * MINUTE,
    endedAt: now - 6 * MINUTE,
    ...given,
  }
}
