import type { ReviewView } from '@beadloom/core/api/reviews/review-api.ts'
import type { Reason } from '@beadloom/core/dispatch/reason.ts'
import { isTerminal } from '@beadloom/core/records/execution.ts'
import type { Session } from '@beadloom/core/records/session.ts'
import type { BeadId, SessionId } from '@beadloom/core/records/ids.ts'
import type { Hub } from '../../ports/hub.ts'
import type { ReviewRow } from '../../ports/store/reviews.ts'
import type { Store } from '../../ports/store.ts'
import type { ScheduleMemory } from '../scheduling/schedule-memory.ts'

export type ReviewViewDeps = { store: Store; hub: Hub; schedule: Pick<ScheduleMemory, 'reason'> }

/** The view of a review, with whether the branch still has the reviewed work. */
export async function withCurrent(deps: ReviewViewDeps, row: ReviewRow): Promise<ReviewView> {
  const tip = await deps.hub.tip(row.project, `refs/heads/${row.branch}`).catch(() => null)
  return viewOf(deps, row, tip !== null && (await deps.hub.isSameWork(row.project, row.to, tip)))
}

/** @param current null: git was not asked */
export function viewOf({ store, schedule }: ReviewViewDeps, row: ReviewRow, current: boolean | null): ReviewView {
  const execution = store.execution(row.execution)
  if (!execution) throw new Error(`the review ${row.execution} has no execution`)
  const { state, detail, queuedAt, startedAt, endedAt, tookMs } = execution
  // Until the review has ended, its verdict may still change.
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
    reason: isTerminal(state) ? null : whyNotNow(schedule.reason(row.project, execution.bead)),
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
    ...(tookMs !== undefined && { tookMs }),
  }
}

const whyNotNow = (reason: Reason | null): Reason | null => (reason?.code === 'running' ? null : reason)

/** The reviewer's newest session; a session of the server's own (image, checks) only while there is none. */
const logOf = (sessions: readonly Session[]): SessionId | null =>
  (sessions.findLast(({ kind }) => kind === 'work') ?? sessions.at(-1))?.id ?? null
