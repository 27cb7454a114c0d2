import type { AskReview, DismissIssue } from '@beadloom/core/api/reviews/review-requests.ts'
import type { Page } from '@beadloom/core/api/api.ts'
import type { ReviewView } from '@beadloom/core/api/reviews/review-api.ts'
import {
  InvalidInput,
  newExecutionId,
  parseBeadId,
  type BeadId,
  type ExecutionId,
  type ProjectId,
} from '@beadloom/core/records/ids.ts'
import { ANSWER_ATTEMPTS } from '@beadloom/core/review/ask-step.ts'
import { WORK_BRANCH_BEAD } from '@beadloom/core/review/review-beads.ts'
import { Problem } from '../../ports/problem.ts'
import { HubError, type Hub, type HubProject } from '../../ports/hub.ts'
import type { Once } from '../../ports/once.ts'
import type { ReviewRow } from '../../ports/store/reviews.ts'
import type { Store } from '../../ports/store.ts'
import { hubProject, settingsOf } from '../../app/stored/stored-settings.ts'
import { badCursor, gitFailed, noBead, noProject, projectNotRead } from '../../app/stored/refusals.ts'
import { queueLimits } from '../../app/scheduling/queue-limits.ts'
import { reviewTarget } from './review-target.ts'
import { viewOf, withCurrent, type ReviewViewDeps } from '../../app/views/review-view.ts'

export type ReviewDeps = ReviewViewDeps & {
  scheduler: { nudge(): void }
  /** In [0, 1). */
  random: () => number
}

export async function review(deps: ReviewDeps, id: ExecutionId): Promise<ReviewView | Problem> {
  const row = deps.store.review(id)
  return row ? withCurrent(deps, row) : noReview(id)
}

export async function dismiss(
  deps: ReviewDeps,
  id: ExecutionId,
  issue: number,
  { note }: DismissIssue,
): Promise<ReviewView | Problem> {
  const { store, scheduler } = deps
  const row = store.review(id)
  if (!row) return noReview(id)
  if (!store.dismissIssue(id, issue, note ?? '')) return noIssue(id, issue)
  scheduler.nudge()
  return withCurrent(deps, store.review(id) ?? row)
}

/** Undoes a dismissal. */
export async function reopen(
  deps: ReviewDeps,
  id: ExecutionId,
  issue: number,
  once: Once,
): Promise<ReviewView | Problem> {
  const { store, scheduler } = deps
  const row = store.review(id)
  if (!row) return noReview(id)
  if (once.before !== null) return withCurrent(deps, row)
  const done = once.make(
    () => store.reopenIssue(id, issue),
    (outcome) => (outcome === 'missing' || outcome === 'not dismissed' ? null : id),
  )
  if (done === 'missing') return noIssue(id, issue)
  if (done === 'not dismissed')
    return new Problem(409, 'not_now', `issue ${issue} of the review ${id} is not dismissed`)
  scheduler.nudge()
  return withCurrent(deps, store.review(id) ?? row)
}

const noIssue = (id: string, issue: number) => new Problem(404, 'not_found', `the review ${id} has no issue ${issue}`)

/** `bead` null: reviews of the work branch. */
type Filter = { bead?: BeadId | null | undefined; limit: number; cursor?: string | undefined }

/** Newest first. */
export function listReviews(
  deps: ReviewDeps,
  project: ProjectId,
  { cursor, limit, ...rest }: Filter,
): Page<ReviewView> | Problem {
  const { store } = deps
  if (!store.project(project)) return noProject(project)
  const before = cursor === undefined ? undefined : beforeOf(store, project, cursor)
  if (before === null) return badCursor()
  // One more than asked for, to know whether there is another page.
  const rows = store.reviews(project, { ...rest, ...(before === undefined ? {} : { before }), limit: limit + 1 })
  const items = rows.slice(0, limit).map((row) => viewOf(deps, row, null))
  const last = items.at(-1)
  return last && rows.length > limit ? { items, next: last.id } : { items }
}

/** A page begins after a review of this project. */
function beforeOf(store: Store, project: ProjectId, cursor: string): ExecutionId | null {
  const row = store.review(cursor as ExecutionId) // no row has an invalid id
  return row?.project === project ? row.execution : null
}

const noReview = (id: string) => new Problem(404, 'not_found', `there is no review "${id}"`)

/** `fresh` false: the review already existed. */
export async function askReview(
  deps: ReviewDeps,
  project: ProjectId,
  input: AskReview,
  once: Once,
): Promise<{ view: ReviewView; fresh: boolean } | Problem> {
  const { store, hub, scheduler, random } = deps
  const before = once.before === null ? null : store.review(once.before as ExecutionId)
  if (before) return { view: viewOf(deps, before, true), fresh: true }
  const row = store.project(project)
  if (!row) return noProject(project)
  const settings = settingsOf(row)
  if (!settings) return projectNotRead(row)
  const bead = beadOf(input.bead)
  if (bead !== null && !store.bead(project, bead)) return noBead(project, bead)
  try {
    await fetched(hub, hubProject(row))
    const target = await reviewTarget({ store, hub }, hubProject(row), settings, bead)
    if (target instanceof Problem) return target
    const earlier = bead === null ? await ofSameWork(deps, project, target.to) : null
    // Nothing is awaited from here on, so a second click finds the first one's review.
    const known = store.reviewOf(project, bead, target.to) ?? earlier
    if (known && (isLive(store, known) || !input.again))
      return { view: viewOf(deps, known, known === earlier || known.to === target.to), fresh: false }
    const { maxSessions, retry } = queueLimits(settings)
    const id = newExecutionId(random)
    const queue = () =>
      store.queueReview({
        id,
        project,
        bead,
        ...target,
        context: '',
        maxAttempts: ANSWER_ATTEMPTS,
        ...(maxSessions === undefined ? {} : { maxSessions }),
        ...(retry === undefined ? {} : { retry }),
      })
    const queued = once.make(queue, (done) => ('refused' in done ? null : id))
    if ('refused' in queued)
      return new Problem(409, 'already_live', `${queued.refused}. Review it once that has ended.`)
    scheduler.nudge()
    return { view: { ...viewOf(deps, store.review(id)!, true), reason: null }, fresh: true } // the schedule is older
  } catch (error) {
    if (error instanceof HubError) return gitFailed(error)
    throw error
  }
}

/** The newest review of the work branch, if it has a verdict and only beads were written there since. */
async function ofSameWork({ store, hub }: ReviewDeps, project: ProjectId, to: string): Promise<ReviewRow | null> {
  const [row] = store.reviews(project, { bead: null, limit: 1 })
  if (row?.verdict !== 'ready' && row?.verdict !== 'not_ready') return null
  if (store.execution(row.execution)?.state !== 'COMPLETED') return null
  return (await hub.isSameWork(project, row.to, to)) ? row : null
}

/** The work branch has a bead of its own, which a request without a bead means. */
function beadOf(given: string | undefined): BeadId | null {
  if (given === undefined) return null
  const bead = parseBeadId(given)
  if (bead === WORK_BRANCH_BEAD) throw new InvalidInput('leave "bead" out to review the work branch')
  return bead
}

/** Fetches the remote; without an answer, the last fetch is used. */
async function fetched(hub: Hub, project: HubProject): Promise<void> {
  try {
    await hub.fetch(project)
  } catch (error) {
    if (!(error instanceof HubError) || !(await hub.current(project))) throw error
  }
}

const isLive = (store: Store, { execution }: ReviewRow): boolean => store.execution(execution)?.endedAt === null
