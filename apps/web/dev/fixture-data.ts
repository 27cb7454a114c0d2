import { defaultRetry } from '@beadloom/core/execution/retry.ts'
import { attemptSessions, chosenAndPriced, failedThrice, flakyAndPending, priced, retrying } from './fixture-ends.ts'
import type { BeadCard, ExecutionView, ProjectView, ReviewView } from '@beadloom/core/api/api.ts'
import type { Reason } from '@beadloom/core/dispatch/plan-dispatch.ts'
import type { ExecutionState } from '@beadloom/core/execution/execution.ts'
import type { BeadId, ExecutionId, ProjectId, SessionId } from '@beadloom/core/ids.ts'
import type { Session } from '@beadloom/core/execution/session.ts'

/* Beads in every state, made up, for looking at the dashboard without a server, Docker or a model. */

const MINUTE = 60_000
export const now = Date.now()

type Given = Omit<Partial<BeadCard>, 'reason'> &
  Pick<BeadCard, 'id' | 'title'> & { reason?: Reason | null; description?: string }
export type FixtureBead = BeadCard & { description: string }

export function bead(project: string, given: Given): FixtureBead {
  return {
    project,
    status: 'open',
    trackerStatus: 'open',
    priority: 2,
    type: 'task',
    labels: [],
    updatedAt: now - 5 * MINUTE,
    createdAt: now - 3 * 24 * 60 * MINUTE,
    hidden: false,
    ready: false,
    reason: null,
    execution: null,
    description:
      'Tables lose the comments between their rows.\n\nDone when:\n\n- First point\n- Second point with `code`\n\nSee also the notes of the last meeting.',
    ...given,
  }
}

let executions = 0
export function execution(
  project: string,
  beadId: string,
  state: ExecutionState,
  given: Partial<ExecutionView> = {},
): ExecutionView {
  const id = `ex-${String(++executions).padStart(10, '0')}` as ExecutionId
  const startedAt = state === 'QUEUED' ? null : now - 4 * MINUTE
  const ended = state !== 'QUEUED' && state !== 'RUNNING'
  const view: ExecutionView = {
    id,
    project: project as ProjectId,
    bead: beadId as BeadId,
    kind: 'work',
    state,
    reason: null,
    detail: '',
    blockedReason: null,
    branch: `beads-${beadId}-something`,
    baseCommit: '3f2a9c1',
    commit: state === 'COMPLETED' ? '9b1d0e4' : null,
    context: '',
    formerBeadStatus: 'open',
    attempt: 1,
    maxAttempts: 3,
    retry: defaultRetry,
    retryCount: 0,
    retryAttempt: 0,
    retryAt: null,
    maxSessions: 10,
    flags: [],
    pendingPush: null,
    diffSize: state === 'COMPLETED' ? { files: 4, added: 120, removed: 34 } : null,
    elapsedMs: 0,
    verifications: [],
    followUps: [],
    signs: [],
    tokens: state === 'QUEUED' ? { input: 0, output: 0 } : { input: 10_911, output: 1_502 },
    queuedAt: now - 5 * MINUTE,
    startedAt,
    endedAt: ended ? now - MINUTE : null,
    deadlineAt: startedAt === null ? null : startedAt + 30 * MINUTE,
    cancelRequestedAt: null,
    beadTitle: beadId,
    activity: state === 'RUNNING' ? 'running npm test' : null,
    sessions: [],
    timeoutMs: 30 * MINUTE,
    modelNote: 'replays a recorded scenario; no AI',
    ...given,
  }
  if (state !== 'QUEUED' && view.sessions.length === 0) view.sessions = sessionsOf(view)
  return view
}

function sessionsOf(view: ExecutionView): Session[] {
  const done = view.state === 'COMPLETED'
  const one = (number: number, kind: Session['kind'], given: Partial<Session>): Session => ({
    id: `${view.id}.${number}` as SessionId,
    execution: view.id,
    number,
    kind,
    attempt: 1,
    state: 'ended',
    outcome: 'success',
    exitCode: 0,
    detail: '',
    container: null,
    model: kind === 'work' ? (view.chosen?.model ?? 'gpt-5-mini') : null,
    tokens: { input: 0, output: 0 },
    logLines: 900,
    logBytes: 40_000,
    startedAt: (view.startedAt ?? now) + number * 10_000,
    endedAt: (view.startedAt ?? now) + number * 30_000,
    ...given,
  })
  if (view.verifications.length > 0) return attemptSessions(view, one)
  if (view.state === 'RUNNING')
    return [
      one(1, 'setup', {}),
      one(2, 'work', { attempt: view.attempt, state: 'running', outcome: null, exitCode: null, endedAt: null }),
    ]
  if (done) return [one(1, 'setup', {}), one(2, 'work', {}), one(3, 'verify', {})]
  return [one(1, 'setup', {}), one(2, 'work', { outcome: 'failed', exitCode: 1, detail: view.detail })]
}

export type FixtureProject = {
  view: ProjectView
  beads: Map<string, FixtureBead>
  executions: Map<string, ExecutionView>
  /** Newest first. */
  reviews: ReviewView[]
}

export function project(
  id: string,
  given: Partial<ProjectView>,
  beads: FixtureBead[],
  runs: ExecutionView[],
): FixtureProject {
  for (const run of runs) {
    const own = beads.find((one) => one.id === run.bead)
    if (own) {
      own.execution = run.id
      run.beadTitle = own.title
    }
  }
  const counts = { open: 0, in_progress: 0, blocked: 0, timeout: 0, done: 0, ready: 0 }
  for (const one of beads) {
    counts[one.status]++
    if (one.ready) counts.ready++
  }
  return {
    view: {
      id,
      name: id,
      source: `/home/you/code/${id}`,
      baseBranch: 'main',
      workBranch: 'beadloom/work',
      autopilot: true,
      paused: false,
      problem: null,
      warnings: [],
      agent: 'openai',
      model: 'scripted',
      modelNote: 'replays a recorded scenario; no AI',
      test: 'npm test',
      setup: 'npm ci',
      retry: defaultRetry,
      maxAttempts: 3,
      beadCounts: counts,
      syncedAt: now - 12_000,
      tracker: null,
      pullRequest: null,
      ...given,
    },
    beads: new Map(beads.map((one) => [one.id, one])),
    executions: new Map(runs.map((one) => [one.id, one])),
    reviews: [],
  }
}

const waits = (...beads: string[]): Reason => ({ code: 'waits_for_bead', text: `waits for ${beads.join(', ')}`, beads })
export const slots: Reason = { code: 'slots_in_use', text: '3 of 3 slots in use' }

export function demo(): FixtureProject {
  const p = 'wordcraft'
  const beads = [
    bead(p, { id: 'wc-1a4', title: 'Add retry with backoff to the uploader', priority: 1, status: 'in_progress' }),
    bead(p, { id: 'wc-9fe', title: 'Parse dates with a time zone offset', status: 'in_progress', type: 'bug' }),
    bead(p, { id: 'wc-77c', title: 'Write the man page', status: 'in_progress', priority: 3 }),
    bead(p, {
      id: 'wc-b02',
      title: 'Count grapheme clusters, not code units, so that a family emoji is one character',
      priority: 0,
      reason: slots,
    }),
    bead(p, {
      id: 'wc-b03',
      title: 'Speed up the tokeniser',
      reason: { code: 'behind_others', text: 'behind wc-b02' },
    }),
    bead(p, { id: 'wc-c11', title: 'Choose the licence of the word list', status: 'blocked' }),
    bead(p, {
      id: 'wc-d20',
      title: 'Support right-to-left text \u202egnp.exe in table cells',
      status: 'in_progress',
      type: 'bug',
    }),
    bead(p, { id: 'wc-d21', title: 'Make the build reproducible', status: 'timeout', priority: 3 }),
    bead(p, {
      id: 'wc-e01',
      title:
        'Release 2.0 once everything below is done, with notes, a migration guide, the benchmarks of both versions side by side and a very long title that must not break anything on the board',
      reason: waits('wc-1a4', 'wc-9fe'),
      type: 'epic',
    }),
    bead(p, { id: 'wc-e02', title: 'Document the retry options', reason: waits('wc-1a4') }),
    bead(p, { id: 'wc-e03', title: '<img src=x onerror=alert(1)> in a title stays text', ready: true }),
    bead(p, {
      id: 'wc-f10',
      title: 'Tests failing: Support right-to-left text',
      type: 'bug',
      reason: { code: 'manual', text: 'ready: start it by hand, or turn autopilot on' },
      ready: true,
      labels: ['beadloom'],
      baseBranch: 'beads-wc-d20-support-right-to-left-text',
    }),
    bead(p, {
      id: 'wc-r10',
      title: 'Blocked: Choose the licence of the word list',
      labels: ['beadloom', 'needs-human'],
      reason: { code: 'needs_human', text: 'labelled needs-human: start it by hand' },
      baseBranch: 'beads-wc-c11-choose-the-licence',
    }),
    bead(p, {
      id: 'wc-r11',
      title: 'Timed out: Set up continuous integration',
      labels: ['beadloom', 'needs-human'],
      reason: { code: 'needs_human', text: 'labelled needs-human: start it by hand' },
    }),
    bead(p, { id: 'wc-f01', title: 'Split words at soft hyphens', status: 'done', updatedAt: now - MINUTE }),
    bead(p, { id: 'wc-f02', title: 'Set up continuous integration', status: 'done', updatedAt: now - 90 * MINUTE }),
  ]
  const view: Partial<ProjectView> = {
    warnings: ['issues.jsonl line 14 is not JSON and was left as it is'],
    tokens: { today: { ...priced, input: 1_412_000, costMicros: 3_840_000 }, perDay: 2_000_000, currency: 'USD' },
  }
  return project(p, view, beads, [
    execution(p, 'wc-1a4', 'RUNNING', chosenAndPriced),
    execution(p, 'wc-9fe', 'RUNNING', {
      startedAt: now - 40_000,
      activity: 'editing src/date.ts',
      tokens: { input: 2100, output: 340 },
    }),
    execution(p, 'wc-77c', 'RUNNING', { startedAt: now - 8_000, tokens: { input: 0, output: 0 }, ...retrying }),
    execution(p, 'wc-b02', 'QUEUED'),
    execution(p, 'wc-b03', 'QUEUED'),
    execution(p, 'wc-c11', 'BLOCKED', {
      blockedReason: 'Two word lists have different licences (CC-BY and GPL). Which one may be shipped?',
      detail: 'The agent needs an answer before it can go on. Answer in the bead, then run it again.',
      followUps: [
        { bead: 'wc-r10', kind: 'blocked', title: 'Blocked: Choose the licence of the word list', status: 'open' },
      ],
    }),
    execution(p, 'wc-d20', 'COMPLETED', { queuedAt: now - 200 * MINUTE, ...flakyAndPending, pendingPush: null }),
    execution(p, 'wc-d20', 'FAILED', failedThrice),
    execution(p, 'wc-d21', 'TIMEOUT', {
      reason: 'silence',
      detail: 'No output for 10 minutes; the limit of silence is 10 minutes.',
    }),
    execution(p, 'wc-f01', 'COMPLETED', flakyAndPending),
    execution(p, 'wc-f02', 'TIMEOUT', {
      queuedAt: now - 40 * 60 * MINUTE,
      reason: 'silence',
      detail: 'No output for 10 minutes; the limit of silence is 10 minutes.',
      followUps: [
        { bead: 'wc-r11', kind: 'timeout', title: 'Timed out: Set up continuous integration', status: 'open' },
      ],
    }),
  ])
}

/** A project in which nothing is to be done. */
export const blank = (): FixtureProject =>
  project(
    'blank',
    { autopilot: false, test: null, problem: 'There is no test command: name one in beadloom.json.' },
    [],
    [],
  )

/** A tracker of the size that real projects reach. */
export function big(): FixtureProject {
  const words =
    'sync merge parser graph cache lock daemon export import label filter cycle orphan index prune hook'.split(' ')
  const beads = Array.from({ length: 2404 }, (_, n) => {
    const status = n % 9 < 6 ? 'done' : n % 23 === 7 ? 'blocked' : 'open'
    const ready = status === 'open' && n % 4 === 0
    return bead('big-tracker', {
      id: `bd-${(n * 7919 + 4242).toString(36)}`,
      title: `${words[n % 16]} ${words[(n * 5 + 3) % 16]}: make the ${words[(n * 11 + 1) % 16]} survive a ${words[(n * 3) % 16]} while it is open`,
      status,
      priority: n % 5,
      type: n % 7 === 0 ? 'bug' : 'task',
      ready,
      reason:
        status === 'open'
          ? ready
            ? { code: 'manual', text: 'ready; press Run' }
            : waits(`bd-${(n * 31 + 7).toString(36)}`)
          : null,
      updatedAt: now - n * 17 * MINUTE,
      createdAt: now - n * 60 * MINUTE,
    })
  })
  return project('big-tracker', { autopilot: false, model: 'gpt-5', modelNote: null }, beads, [])
}
