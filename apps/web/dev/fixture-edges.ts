import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { ReviewIssueView } from '@beadloom/core/api/reviews/review-api.ts'
import type { LimitView } from '@beadloom/core/api/budgets/budget-api.ts'
import { isNear, isReached, limitText } from '@beadloom/core/budget/budget-states.ts'
import type { BeadId } from '@beadloom/core/records/ids.ts'
import { bead, execution, now, project, type FixtureBead, type FixtureProject } from './fixture-data.ts'
import { egress } from './fixture-egress.ts'
import { failedThrice, notChecked, secretFound, stuck, weakened } from './fixture-ends.ts'
import { pauseBy } from './fixture-messages.ts'
import { asReview, issue } from './fixture-reviews.ts'

/* Rare cases: nothing yet, nothing left, and far more than usual of everything. */

const MINUTE = 60_000
const p = 'edges'
const FAILURES = 140
const RERUNS = 40
const REVIEWS = 70
const ISSUES = 120
/** A person, by a limit. */
const asked = { since: now - 12 * MINUTE, until: now + 23 * 60 * MINUTE, currency: 'USD' } as const

const asking = {
  ...pauseBy('', now - 7 * MINUTE),
  atEnd: 'resume',
  question:
    'Two word lists have different licences (CC-BY and GPL). Which one may be shipped? <img src=x onerror=alert(1)> \u202egnp.exe',
} as const

const limitOf = (scope: 'execution' | 'bead', used: number, limit: number): LimitView => {
  const state = { scope, unit: 'tokens', limit, used, granted: 0, unpriced: 0 } as const
  return { ...state, near: isNear(state, 75), reached: isReached(state), text: limitText(state, 'USD') }
}

/** The paused project of corner cases. Its logs and diffs are chosen by the bead (`fixture-logs`, `fixture-diff`). */
export function edges(): FixtureProject {
  const failed = Array.from({ length: FAILURES }, (_, n) => `eg-${String(n + 1).padStart(3, '0')}`)
  const beads: FixtureBead[] = [
    bead(p, { id: 'eg-start', title: 'Its container is being made', status: 'in_progress' }),
    bead(p, { id: 'eg-quiet', title: 'Its agent has said nothing yet', status: 'in_progress' }),
    bead(p, { id: 'eg-mute', title: 'Its agent never said anything', status: 'in_progress' }),
    bead(p, { id: 'eg-gone', title: 'Its log is gone', status: 'done' }),
    bead(p, { id: 'eg-silent', title: 'Its agent has not said anything for long', status: 'in_progress' }),
    bead(p, { id: 'eg-budget', title: 'It waits at a limit of tokens', status: 'in_progress' }),
    bead(p, { id: 'eg-said', title: 'People say something to its agent', status: 'in_progress' }),
    bead(p, { id: 'eg-held', title: 'A person has paused it', status: 'in_progress' }),
    bead(p, { id: 'eg-asks', title: 'Its agent waits for an answer', status: 'in_progress' }),
    bead(p, { id: 'eg-late', title: 'It ended before a message was read', status: 'done' }),
    bead(p, { id: 'eg-money', title: 'It waits at a limit of money', status: 'in_progress' }),
    bead(p, { id: 'eg-slow', title: 'Its log takes its time', status: 'done' }),
    bead(p, { id: 'eg-same', title: 'Nothing had to be changed', status: 'done' }),
    bead(p, { id: 'eg-weak', title: 'Its tests are weaker than before', status: 'in_progress' }),
    bead(p, { id: 'eg-blind', title: 'No test could check it', status: 'in_progress' }),
    bead(p, { id: 'eg-key', title: 'It adds a key', status: 'in_progress' }),
    bead(p, { id: 'eg-clash', title: 'Somebody changed the same lines', status: 'in_progress' }),
    bead(p, { id: 'eg-git', title: 'Its branch cannot be read', status: 'done' }),
    bead(p, {
      id: 'eg-big',
      title: 'Reformat everything',
      status: 'in_progress',
      description: `Once, in one go.\n\n${'- Every file of the repository is formatted, and nothing else is changed in it.\n'.repeat(200)}`,
    }),
    ...failed.map((id, n) => bead(p, { id, title: `Case ${n + 1} of the old suite`, status: 'in_progress' })),
  ]
  const runs: ExecutionView[] = [
    execution(p, 'eg-start', 'RUNNING', { attempt: 0, activity: 'downloading the image, 212 of 540 MB' }),
    execution(p, 'eg-quiet', 'RUNNING', { activity: 'thinking', tokens: { input: 0, output: 0 } }),
    execution(p, 'eg-mute', 'FAILED', { reason: 'agent_failed', detail: 'The agent ended with code 1.' }),
    execution(p, 'eg-gone', 'COMPLETED'),
    execution(p, 'eg-silent', 'RUNNING', {
      ...stuck,
      reached: egress.reached,
      activity: 'running npm test',
      tokens: { input: 36_800, output: 4400, cached: 30_000, reasoning: 2100, costMicros: 84_000 },
      tokenLimits: { session: null, execution: 50_000, day: 5_000_000 },
      limit: limitOf('execution', 41_200, 50_000),
      currency: 'USD',
    }),
    execution(p, 'eg-budget', 'RUNNING', {
      activity: 'npm test',
      tokens: { input: 91_800, output: 8600 },
      waits: { kind: 'budget', ...asked, scope: 'bead', unit: 'tokens', limit: 100_000, used: 100_400 },
      limit: limitOf('bead', 100_400, 100_000),
      signs: ['100k of 100k tokens used by this bead'],
    }),
    execution(p, 'eg-money', 'RUNNING', {
      activity: 'npm test',
      tokens: { input: 918_000, output: 86_000, costMicros: 5_120_000 },
      waits: { kind: 'budget', ...asked, scope: 'week', unit: 'money', limit: 5_000_000, used: 5_120_000 },
      signs: ['12,000 tokens have no known price, and no limit of money counts them'],
      currency: 'USD',
    }),
    execution(p, 'eg-said', 'RUNNING', { activity: 'npm test' }),
    execution(p, 'eg-held', 'RUNNING', {
      activity: 'npm test',
      paused: pauseBy('grace', now - 2 * MINUTE),
      waits: { kind: 'pause', ...pauseBy('grace', now - 2 * MINUTE) },
    }),
    execution(p, 'eg-asks', 'RUNNING', {
      activity: 'npm test',
      paused: asking,
      waits: { kind: 'pause', ...asking },
    }),
    execution(p, 'eg-late', 'COMPLETED'),
    execution(p, 'eg-slow', 'COMPLETED'),
    execution(p, 'eg-same', 'COMPLETED'),
    execution(p, 'eg-git', 'COMPLETED'),
    execution(p, 'eg-weak', 'FAILED', weakened),
    execution(p, 'eg-blind', 'FAILED', notChecked),
    execution(p, 'eg-key', 'FAILED', secretFound),
    execution(p, 'eg-clash', 'FAILED', {
      reason: 'push_conflict',
      detail:
        'The work on beads-eg-clash is in conflict with other work: beadloom/work has other changes in src/date.ts and 2 more files. Run the bead again: its agent is asked to merge the two first. Or merge them by hand.',
    }),
    ...failed.map((id, n) =>
      execution(p, id, 'FAILED', {
        reason: 'tests_failed',
        detail: `The tests cannot run: case ${n + 1} names a file that is not there.`,
        queuedAt: now - (n + 2) * 11 * MINUTE,
        endedAt: now - (n + 1) * 11 * MINUTE,
      }),
    ),
    ...Array.from({ length: RERUNS }, (_, n) =>
      execution(p, 'eg-big', 'FAILED', {
        ...failedThrice,
        queuedAt: now - (RERUNS - n) * 60 * MINUTE,
        endedAt: now - (RERUNS - n) * 60 * MINUTE + 9 * MINUTE,
      }),
    ),
  ]
  const today = { input: 3_900_000, output: 412_000, costMicros: 9_200_000 }
  const tokens = { today, perDay: 5_000_000, asks: true, currency: 'USD' }
  const edge = project(p, { name: 'Corner cases', paused: true, autopilot: false, tokens }, beads, runs)
  for (const run of edge.executions.values())
    if (run.bead === 'eg-start') run.sessions = []
    else if (run.bead === 'eg-quiet' || run.bead === 'eg-mute')
      run.sessions = run.sessions.map((one) => ({ ...one, logLines: 0 }))
  const severities = ['critical', 'high', 'medium', 'low'] as const
  const issues: ReviewIssueView[] = Array.from({ length: ISSUES }, (_, n) =>
    issue(n + 1, `Line ${n * 3 + 1} reads a date without its offset`, {
      severity: severities[n % severities.length] ?? 'low',
      file_path: `src/parsers/parser-${n % 40}.ts`,
      line_numbers: [n * 3 + 1],
      bead: null,
    }),
  )
  const reviews = Array.from({ length: REVIEWS }, (_, n) =>
    asReview(p, {
      bead: n === 0 ? 'eg-big' : null,
      state: 'COMPLETED',
      queuedAt: now - (n + 1) * 37 * MINUTE,
      verdict: n % 3 === 0 ? 'not_ready' : 'ready',
      pr_ready: n % 3 !== 0,
      detail: n % 3 === 0 ? `Not ready for a pull request, ${ISSUES} issues.` : 'Ready for a pull request: no issues.',
      issues: n === 0 ? issues : [],
    }),
  )
  for (const { run } of reviews)
    edge.executions.set(run.id, { ...run, bead: run.bead as BeadId, endedAt: run.queuedAt + 3 * MINUTE })
  edge.reviews = reviews.map(({ review }) => review)
  return edge
}
