import { isInside } from '@beadloom/core/bead/inside.ts'
import { defaultRetry } from '@beadloom/core/records/retry.ts'
import { attemptSessions, contextOf } from './fixture-ends.ts'
import type { BeadCard } from '@beadloom/core/api/beads/bead-api.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import type { DependenciesView } from '@beadloom/core/api/beads/dependencies-api.ts'
import type { PhaseView } from '@beadloom/core/api/plans/phase-api.ts'
import type { PlanView } from '@beadloom/core/api/plans/plan-api.ts'
import type { ReviewView } from '@beadloom/core/api/reviews/review-api.ts'
import { canStart, type Reason } from '@beadloom/core/dispatch/reason.ts'
import type { ExecutionState } from '@beadloom/core/records/execution.ts'
import type { BeadId, ExecutionId, ProjectId, SessionId } from '@beadloom/core/records/ids.ts'
import type { Session } from '@beadloom/core/records/session.ts'
import { talks } from './fixture-conversation.ts'

/* Makes beads, executions and projects from the few fields that matter; everything else is filled in. */

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
    notice: null,
    formerBeadStatus: 'open',
    attempt: 1,
    maxAttempts: 3,
    retry: defaultRetry,
    retryCount: 0,
    retryAttempt: 0,
    maxSessions: 10,
    flags: [],
    waits: null,
    diffSize: state === 'COMPLETED' ? { files: 4, added: 120, removed: 34 } : null,
    elapsedMs: 0,
    verifications: [],
    followUps: [],
    kept: [],
    signs: [],
    tokens: state === 'QUEUED' ? { input: 0, output: 0 } : { input: 10_911, output: 1_502 },
    queuedAt: now - 5 * MINUTE,
    startedAt,
    endedAt: ended ? now - MINUTE : null,
    deadlineAt: startedAt === null ? null : startedAt + 30 * MINUTE,
    cancelRequestedAt: null,
    stopPending: null,
    beadTitle: beadId,
    activity: state === 'RUNNING' ? 'running npm test' : null,
    sessions: [],
    timeoutMs: 30 * MINUTE,
    modelNote: 'recorded run, no AI',
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
    model: kind === 'work' ? (view.chosen?.model ?? (talks(view.bead) ? 'gpt-5-mini' : null)) : null,
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
      one(2, 'work', {
        attempt: view.attempt,
        state: 'running',
        outcome: null,
        exitCode: null,
        endedAt: null,
        context: contextOf(view.attempt),
      }),
    ]
  if (done) return [one(1, 'setup', {}), one(2, 'work', { context: contextOf(view.attempt) }), one(3, 'verify', {})]
  return [one(1, 'setup', {}), one(2, 'work', { outcome: 'failed', exitCode: 1, detail: view.detail })]
}

export type FixtureProject = {
  view: ProjectView
  beads: Map<string, FixtureBead>
  executions: Map<string, ExecutionView>
  /** Newest first. */
  reviews: ReviewView[]
  /** Which beads wait for which, where that is made together with the beads. */
  dependencies?: DependenciesView['items']
  /** Versions of each bead's plan, in order, and the phases of each execution by one. */
  plans?: Map<string, PlanView[]>
  phases?: Map<string, PhaseView[]>
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
      problemKind: null,
      warnings: [],
      agent: 'openai',
      model: 'scripted',
      modelNote: 'recorded run, no AI',
      test: 'npm test',
      setup: 'npm ci',
      retry: defaultRetry,
      maxAttempts: 3,
      beadCounts: countsOf(beads),
      syncedAt: now - 12_000,
      tracker: null,
      pullRequest: null,
      dismissals: 0,
      ...given,
    },
    beads: new Map(beads.map((one) => [one.id, one])),
    executions: new Map(runs.map((one) => [one.id, one])),
    reviews: [],
  }
}

/** As the server counts them, when it is asked. */
export function countsOf(beads: Iterable<FixtureBead>): ProjectView['beadCounts'] {
  const counts = { open: 0, in_progress: 0, blocked: 0, timeout: 0, done: 0, ready: 0 }
  const all = new Map([...beads].map((one) => [one.id, one]))
  for (const one of all.values()) {
    if (one.followUpOf !== undefined && isInside(one, all.get(one.followUpOf))) continue
    counts[one.status]++
    if (one.ready && canStart(one.reason)) counts.ready++
  }
  return counts
}

export const waits = (...beads: string[]): Reason => ({
  code: 'waits_for_bead',
  text: `waits for ${beads.join(', ')}`,
  beads,
})
export const slots: Reason = { code: 'slots_in_use', text: '3 of 3 slots in use' }
