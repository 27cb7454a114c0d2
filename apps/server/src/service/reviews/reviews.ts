import type { AskReview, Page, ReviewView } from '@beadloom/core/api/api.ts'
import { isTerminal } from '@beadloom/core/execution/execution.ts'
import {
  InvalidInput,
  newExecutionId,
  parseBeadId,
  type BeadId,
  type ExecutionId,
  type ProjectId,
  type SessionId,
} from '@beadloom/core/ids.ts'
import type { Reason } from '@beadloom/core/dispatch/plan-dispatch.ts'
import { REVIEW_ATTEMPTS } from '@beadloom/core/review/review-step.ts'
import { WORK_BRANCH_BEAD } from '@beadloom/core/review/review-beads.ts'
import type { Session } from '@beadloom/core/execution/session.ts'
import { Problem, type ReviewApi, type ReviewsFilter } from '../../http/ports.ts'
import { HubError, type Hub, type HubProject } from '../../ports/hub.ts'
import type { ReviewRow } from '../../ports/store/reviews.ts'
import type { Store } from '../../ports/store.ts'
import type { PlanMemory } from '../scheduling/plan-memory.ts'
import { hubProject, settingsOf } from '../projects/projects.ts'
import { noBead, noProject } from '../answers/queries.ts'
import { queueLimits } from '../scheduling/queue-limits.ts'
import { reviewTarget } from './review-target.ts'
import { isSameWork } from './same-work.ts'

export type ReviewDeps = {
  store: Store
  hub: Hub
  plan: Pick<PlanMemory, 'reason'>
  scheduler: { nudge(): void }
  /** In [0, 1). */
  random: () => number
}

/** What people ask for and see of reviews. */
export function createReviews(deps: ReviewDeps): ReviewApi {
  const { store } = deps
  return {
    ask: (project, input) => ask(deps, project, input),
    list: (project, filter) => list(deps, project, filter),
    get: (id) => {
      const row = store.review(id)
      return row ? withCurrent(deps, row) : noReview(id)
    },
    dismiss: (id, issue, { note }) => {
      const row = store.review(id)
      if (!row) return noReview(id)
      if (!store.dismissIssue(id, issue, note ?? ''))
        return new Problem(404, 'not_found', `the review ${id} has no issue ${issue}`)
      deps.scheduler.nudge()
      return withCurrent(deps, store.review(id) ?? row)
    },
    reopen: (id, issue) => {
      const row = store.review(id)
      if (!row) return noReview(id)
      const done = store.reopenIssue(id, issue)
      if (done === 'missing') return new Problem(404, 'not_found', `the review ${id} has no issue ${issue}`)
      if (done === 'not dismissed')
        return new Problem(409, 'not_now', `issue ${issue} of the review ${id} is not dismissed`)
      deps.scheduler.nudge()
      return withCurrent(deps, store.review(id) ?? row)
    },
  }
}

function list(
  deps: ReviewDeps,
  project: ProjectId,
  { cursor, limit, ...rest }: ReviewsFilter,
): Page<ReviewView> | Problem {
  const { store } = deps
  if (!store.project(project)) return noProject(project)
  const before = cursor === undefined ? undefined : beforeOf(store, project, cursor)
  if (before === null) return new Problem(400, 'bad_cursor', 'this cursor is not one of ours; start without it')
  // One more than asked for: it says whether there is another page.
  const rows = store.reviews(project, { ...rest, ...(before === undefined ? {} : { before }), limit: limit + 1 })
  const items = rows.slice(0, limit).map((row) => viewOf(deps, row, null))
  const last = items.at(-1)
  return last && rows.length > limit ? { items, next: last.id } : { items }
}

/** A page begins after a review of this project. */
function beforeOf(store: Store, project: ProjectId, cursor: string): ExecutionId | null {
  const row = store.review(cursor as ExecutionId) // what is no id has no row
  return row?.project === project ? row.execution : null
}

const noReview = (id: string) => new Problem(404, 'not_found', `there is no review "${id}"`)

async function ask(
  deps: ReviewDeps,
  project: ProjectId,
  input: AskReview,
): Promise<{ view: ReviewView; fresh: boolean } | Problem> {
  const { store, hub, scheduler, random } = deps
  const row = store.project(project)
  if (!row) return noProject(project)
  const settings = settingsOf(row)
  if (!settings)
    return new Problem(409, 'project_broken', row.problem ?? 'the project has not been read yet; try again in a moment')
  const bead = beadOf(input.bead)
  if (bead !== null && !store.bead(project, bead)) return noBead(project, bead)
  try {
    await fetched(hub, hubProject(row))
    const target = await reviewTarget({ store, hub }, hubProject(row), settings, bead)
    if (target instanceof Problem) return target
    const earlier = bead === null ? await ofSameWork(deps, project, target.to) : null
    // From here on nothing waits: a second click finds what the first one has queued.
    const known = store.reviewOf(project, bead, target.to) ?? earlier
    if (known && (isLive(store, known) || !input.again))
      return { view: viewOf(deps, known, known === earlier || known.to === target.to), fresh: false }
    const { maxSessions, retry } = queueLimits(settings)
    const id = newExecutionId(random)
    const queued = store.queueReview({
      id,
      project,
      bead,
      ...target,
      context: '',
      maxAttempts: REVIEW_ATTEMPTS,
      ...(maxSessions === undefined ? {} : { maxSessions }),
      ...(retry === undefined ? {} : { retry }),
    })
    if ('refused' in queued)
      return new Problem(409, 'already_live', `${queued.refused}. Review it when that has ended.`)
    scheduler.nudge()
    return { view: { ...viewOf(deps, store.review(id)!, true), reason: null }, fresh: true } // the plan is older
  } catch (error) {
    if (error instanceof HubError) return new Problem(502, 'git_failed', error.message)
    throw error
  }
}

/** The newest review of the work branch, if it came to a verdict about it and only beads were written there since. */
async function ofSameWork({ store, hub }: ReviewDeps, project: ProjectId, to: string): Promise<ReviewRow | null> {
  const [row] = store.reviews(project, { bead: null, limit: 1 })
  if (row?.verdict !== 'ready' && row?.verdict !== 'not_ready') return null
  if (store.execution(row.execution)?.state !== 'COMPLETED') return null
  return (await isSameWork(hub, project, row.to, to)) ? row : null
}

/** The work branch's own bead is asked for by asking for none. */
function beadOf(given: string | undefined): BeadId | null {
  if (given === undefined) return null
  const bead = parseBeadId(given)
  if (bead === WORK_BRANCH_BEAD) throw new InvalidInput('leave "bead" out to review the work branch')
  return bead
}

/** What the remote has now, where it answers. */
async function fetched(hub: Hub, project: HubProject): Promise<void> {
  try {
    await hub.fetch(project)
  } catch (error) {
    if (!(error instanceof HubError) || !(await hub.current(project))) throw error
  }
}

const isLive = (store: Store, { execution }: ReviewRow): boolean => store.execution(execution)?.endedAt === null

async function withCurrent(deps: ReviewDeps, row: ReviewRow): Promise<ReviewView> {
  const tip = await deps.hub.tip(row.project, `refs/heads/${row.branch}`).catch(() => null)
  return viewOf(deps, row, tip !== null && (await isSameWork(deps.hub, row.project, row.to, tip)))
}

function viewOf({ store, plan }: ReviewDeps, row: ReviewRow, current: boolean | null): ReviewView {
  const execution = store.execution(row.execution)
  if (!execution) throw new Error(`the review ${row.execution} has no execution`)
  const { state, detail, queuedAt, startedAt, endedAt } = execution
  // Until it has ended, a verdict may still come to nothing.
  const verdict = state === 'COMPLETED' ? row.verdict : null
  const beadOf = (id: BeadId | null) => (id === null ? null : store.bead(row.project, id))
  return {
    id: row.execution,
    project: row.project,
    bead: row.bead,
    branch: row.branch,
    from: row.from,
    to: row.to,
    current,
    state,
    reason: isTerminal(state) ? null : whyNotNow(plan.reason(row.project, execution.bead)),
    detail,
    model: row.model,
    session: logOf(store.sessions(row.execution)),
    verdict,
    pr_ready: verdict === 'ready',
    reasons: row.reasons,
    summary: row.summary,
    issues: row.issues.map((issue) => ({ ...issue, beadStatus: beadOf(issue.bead)?.status ?? null })),
    fixed: row.fixed.map((id) => ({ bead: id, title: beadOf(id)?.title ?? '' })),
    queuedAt,
    startedAt,
    endedAt,
  }
}

const whyNotNow = (reason: Reason | null): Reason | null => (reason?.code === 'running' ? null : reason)

/** The reviewer's newest; the server's own (the image, the checks) only as long as there is none. */
const logOf = (sessions: readonly Session[]): SessionId | null =>
  (sessions.findLast(({ kind }) => kind === 'work') ?? sessions.at(-1))?.id ?? null
