import type { AskPullRequest } from '@beadloom/core/api/pull-requests/pull-request-requests.ts'
import type { Page } from '@beadloom/core/api/api.ts'
import type { PullRequestView } from '@beadloom/core/api/pull-requests/pull-request-api.ts'
import { newPullRequestId, type ExecutionId, type ProjectId, type PullRequestId } from '@beadloom/core/records/ids.ts'
import { isLivePullRequest, type PullRequest } from '@beadloom/core/review/pull-request.ts'
import type { Projects } from '../../app/projects/projects.ts'
import { cancel, type CancelDeps } from '../executions/execution-commands.ts'
import { askReview, type ReviewDeps } from '../reviews/reviews.ts'
import { Problem } from '../../ports/problem.ts'
import { HubError } from '../../ports/hub.ts'
import { eachTime, type Once } from '../../ports/once.ts'
import { settingsOf } from '../../app/stored/stored-settings.ts'
import type { PullRequestDriver } from '../../app/pull-requests/pull-request-driver.ts'
import { titleOf } from '../../app/pull-requests/pull-request-text.ts'
import { pullRequestView } from '../../app/views/pull-request-view.ts'
import { badCursor, gitFailed, noProject } from '../../app/stored/refusals.ts'

export type PullRequestDeps = ReviewDeps &
  CancelDeps & {
    projects: Pick<Projects, 'obstacle'>
    pullRequests: Pick<PullRequestDriver, 'take'>
  }

export function pullRequest({ store }: PullRequestDeps, id: PullRequestId): PullRequestView | Problem {
  const row = store.pullRequest(id)
  return row ? pullRequestView(row) : missing(id)
}

const missing = (id: string) => new Problem(404, 'not_found', `there is no pull request "${id}"`)

type Asked = { view: PullRequestView; fresh: boolean }

/** `fresh` false: this one was already in progress. */
export async function askPullRequest(
  deps: PullRequestDeps,
  project: ProjectId,
  { title }: AskPullRequest,
  once: Once,
): Promise<Asked | Problem> {
  const { store, random, pullRequests } = deps
  const before = once.before === null ? null : store.pullRequest(once.before as PullRequestId)
  if (before) return { view: pullRequestView(before), fresh: true }
  const refusal = refusalOf(deps, project)
  if (refusal) return refusal
  const there = liveOf(deps, project)
  if (there) return there
  const asked = await askReview(deps, project, {}, eachTime)
  if (asked instanceof Problem) return reworded(asked)
  const row = store.project(project)
  const settings = row && settingsOf(row)
  if (!settings) return noProject(project)
  const { id: review, branch, from, to: commit } = asked.view
  try {
    const made = title ?? (await titleOf(deps, { project, branch, from, commit }))
    const id = newPullRequestId(random)
    const askFor = () =>
      store.askPullRequest({
        id,
        project,
        branch,
        base: settings.baseBranch,
        from,
        commit,
        title: made,
        ownTitle: title !== undefined,
        review: review as ExecutionId,
        detail: `The review ${review} of ${commit.slice(0, 12)} comes first.`,
      })
    const queued = once.make(askFor, (done) => ('refused' in done ? null : id))
    // Somebody else has asked in the meantime.
    if ('refused' in queued) return liveOf(deps, project) ?? new Problem(409, 'not_now', queued.refused)
    pullRequests.take(queued.id)
    return { view: pullRequestView(queued), fresh: true }
  } catch (error) {
    if (error instanceof HubError) return gitFailed(error)
    throw error
  }
}

function refusalOf({ store, projects }: PullRequestDeps, project: ProjectId): Problem | null {
  const row = store.project(project)
  if (!row) return noProject(project)
  if (row.paused)
    return new Problem(
      409,
      'project_paused',
      `the project ${project} is paused, and a pull request needs a review first: resume the project (beadloom resume ${project})`,
    )
  const why = projects.obstacle(row)
  return (
    why && new Problem(409, why.code, `${why.text}. Until then no review can run, so no pull request can be opened.`)
  )
}

function liveOf({ store }: PullRequestDeps, project: ProjectId): Asked | null {
  const newest = store.newestPullRequest(project)
  return newest && isLivePullRequest(newest.state) ? { view: pullRequestView(newest), fresh: false } : null
}

function reworded(problem: Problem): Problem {
  if (problem.code !== 'nothing_to_review') return problem
  const { status, code } = problem
  return new Problem(status, code, problem.message.replace('nothing to review', 'nothing to open a pull request for'))
}

/** Newest first. */
export function listPullRequests(
  { store }: PullRequestDeps,
  project: ProjectId,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Page<PullRequestView> | Problem {
  if (!store.project(project)) return noProject(project)
  const before = cursor === undefined ? undefined : Number(cursor)
  if (before !== undefined && !Number.isSafeInteger(before)) return badCursor()
  // One more than asked for, to know whether there is another page.
  const rows = store.pullRequests(project, limit + 1, before)
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  const page = { items: items.map(pullRequestView) }
  return last && rows.length > limit ? { ...page, next: String(last.askedAt) } : page
}

/** Cancels its review too. */
export async function cancelPullRequest(
  deps: PullRequestDeps,
  id: PullRequestId,
  once: Once,
): Promise<PullRequestView | Problem> {
  const { store } = deps
  const row = store.pullRequest(id)
  if (!row) return missing(id)
  const move = () => store.movePullRequest(id, { type: 'cancel' })
  const moved = once.before === null ? once.make(move, (done) => ('refused' in done ? null : id)) : row
  if ('refused' in moved) return new Problem(409, 'not_now', `the pull request ${id} has already ended (${row.state})`)
  if (reviewLives(store, row)) cancel(deps, row.review, eachTime)
  return pullRequestView(store.pullRequest(id) ?? moved)
}

const reviewLives = (store: PullRequestDeps['store'], { review }: PullRequest): boolean =>
  store.execution(review)?.endedAt === null
