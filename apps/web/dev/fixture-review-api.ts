import type { AskPullRequest } from '@beadloom/core/api/pull-requests/pull-request-requests.ts'
import type { AskReview, DismissIssue } from '@beadloom/core/api/reviews/review-requests.ts'
import type { PullRequestState } from '@beadloom/core/review/pull-request.ts'
import type { FixtureProject } from './fixture-data.ts'
import { asReview, pullRequest } from './fixture-reviews.ts'
import type { FixtureWorld } from './fixture-world.ts'

type Answer = (status: number, value: unknown) => void
type Call = { world: FixtureWorld; project: FixtureProject; method: string; path: string[]; url: URL; body: unknown }

/** Reviews and pull requests of a project. A pull request whose title is one of its states comes to that. */
export function handleReviews({ world, project, method, path, url, body }: Call, answer: Answer): void {
  if (path[2] === 'pull-requests') {
    const { title = '' } = body as AskPullRequest
    const state = (['open', 'pushed', 'failed', 'opening', 'reviewing'] as PullRequestState[]).find(
      (one) => one === title,
    )
    project.view = { ...project.view, pullRequest: pullRequest(project, state ?? 'not_ready') }
    world.projectChanged(project)
    return answer(202, project.view.pullRequest)
  }
  if (method === 'POST') {
    const { bead = null, again } = body as AskReview
    const known = project.reviews.find((one) => one.bead === bead)
    const live = known && (known.state === 'QUEUED' || known.state === 'RUNNING')
    if (known && (live || (!again && known.current !== false && known.verdict !== null))) return answer(200, known)
    const { review, run } = asReview(project.view.id, { bead, state: 'RUNNING', queuedAt: Date.now(), session: null })
    project.reviews.unshift(review)
    world.tellExecution(project, run)
    return answer(202, review)
  }
  const of = url.searchParams.get('bead')
  const items = project.reviews
    .filter((one) => of === null || one.bead === (of === '' ? null : of))
    .map((one) => ({ ...one, current: null }))
  answer(200, { items: items.slice(0, Number(url.searchParams.get('limit') ?? 50)) })
}

export function handleReview(world: FixtureWorld, path: string[], body: unknown, answer: Answer): void {
  for (const project of world.projects) {
    const review = project.reviews.find(({ id }) => id === path[1])
    if (!review) continue
    if (path[4] === 'dismiss') {
      const issue = review.issues.find(({ number }) => String(number) === path[3])
      const bead = project.beads.get(issue?.bead ?? '')
      if (issue) Object.assign(issue, { dismissed: (body as DismissIssue).note || 'dismissed', beadStatus: 'done' })
      if (bead) world.setStatus(project, bead, 'done')
    }
    if (path[4] === 'reopen') {
      const issue = review.issues.find(({ number }) => String(number) === path[3])
      const bead = project.beads.get(issue?.bead ?? '')
      if (issue) Object.assign(issue, { dismissed: null, beadStatus: 'open' })
      if (bead) world.setStatus(project, bead, 'open')
    }
    return answer(200, review)
  }
  answer(404, { error: { code: 'not_found', message: `There is no review ${path[1]}.` } })
}
