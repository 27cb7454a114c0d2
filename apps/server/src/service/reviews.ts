import type { AskReview, ReviewView } from '@beadloom/core/api.ts'
import { InvalidInput, newExecutionId, parseBeadId, type BeadId, type ProjectId } from '@beadloom/core/ids.ts'
import { REVIEW_ATTEMPTS } from '@beadloom/core/review-step.ts'
import { WORK_BRANCH_BEAD } from '@beadloom/core/review-beads.ts'
import { Problem, type ReviewApi } from '../http/ports.ts'
import { HubError, type Hub, type HubProject } from '../ports/hub.ts'
import type { ReviewRow } from '../ports/reviews.ts'
import type { Store } from '../ports/store.ts'
import { hubProject, settingsOf } from './projects.ts'
import { noBead, noProject } from './queries.ts'
import { queueLimits } from './queue-limits.ts'
import { reviewTarget } from './review-target.ts'

export type ReviewDeps = {
  store: Store
  hub: Hub
  scheduler: { nudge(): void }
  /** In [0, 1). */
  random: () => number
}

/** What people ask for and see of reviews. */
export function createReviews(deps: ReviewDeps): ReviewApi {
  const { store } = deps
  return {
    ask: (project, input) => ask(deps, project, input),
    list: (project, limit) =>
      store.project(project)
        ? { items: store.reviews(project, limit).map((row) => viewOf(store, row, null)) }
        : noProject(project),
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
  }
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
    // From here on nothing waits: a second click finds what the first one has queued.
    const known = store.reviewOf(project, bead, target.to)
    if (known && (isLive(store, known) || !input.again))
      return { view: viewOf(store, known, known.to === target.to), fresh: false }
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
    return { view: viewOf(store, store.review(id)!, true), fresh: true }
  } catch (error) {
    if (error instanceof HubError) return new Problem(502, 'git_failed', error.message)
    throw error
  }
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

async function withCurrent({ store, hub }: ReviewDeps, row: ReviewRow): Promise<ReviewView> {
  const tip = await hub.tip(row.project, `refs/heads/${row.branch}`).catch(() => null)
  return viewOf(store, row, tip === row.to)
}

function viewOf(store: Store, row: ReviewRow, current: boolean | null): ReviewView {
  const execution = store.execution(row.execution)
  if (!execution) throw new Error(`the review ${row.execution} has no execution`)
  const { state, detail, queuedAt, endedAt } = execution
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
    detail,
    verdict,
    pr_ready: verdict === 'ready',
    reasons: row.reasons,
    summary: row.summary,
    issues: row.issues.map((issue) => ({ ...issue, beadStatus: beadOf(issue.bead)?.status ?? null })),
    fixed: row.fixed.map((id) => ({ bead: id, title: beadOf(id)?.title ?? '' })),
    queuedAt,
    endedAt,
  }
}
