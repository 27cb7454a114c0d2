import type { ReviewView } from '@beadloom/core/api/reviews/review-api.ts'
import type { ExecutionId, ProjectId, PullRequestId } from '@beadloom/core/records/ids.ts'
import {
  isLivePullRequest,
  pullRequestStep,
  type PullRequest,
  type PullRequestFacts,
  type PullRequestMove,
} from '@beadloom/core/review/pull-request.ts'
import type { Aside } from '../../ports/aside.ts'
import type { Forges } from '../../ports/forge.ts'
import type { Hub } from '../../ports/hub.ts'
import type { Store } from '../../ports/store.ts'
import type { PatientStore } from '../../ports/store/patient.ts'
import { isPassing } from '../../ports/store/errors.ts'
import { Problem } from '../../ports/problem.ts'
import type { Clock } from '../../process/clock.ts'
import type { Logger } from '../../process/logger.ts'
import { openOnForge, publishWorkBranch } from './pull-request-steps.ts'
import { aborted, orAborted } from '../../process/within.ts'

export type DriverDeps = {
  store: Store
  patient: PatientStore
  hub: Hub
  forges: Forges
  aside: Pick<Aside, 'masked'>
  /** Asks for a review of the work branch; the existing one if there is one. */
  askReview: (project: ProjectId) => Promise<{ view: ReviewView } | Problem>
  clock: Clock
  log: Logger
}

const AFTER_A_BUG_MS = 60_000
const MOST_BUGS = 5
const DATABASE_RETRY_MS = 1_000

/** Drives every requested pull request to its end, independently, including those left by an earlier server. */
export class PullRequestDriver {
  readonly #deps: DriverDeps
  readonly #driven = new Map<PullRequestId, Promise<void>>()
  #stop: AbortSignal | null = null

  constructor(deps: DriverDeps) {
    this.#deps = deps
  }

  /** Runs until `stop`; unfinished ones continue after the next start. */
  async run(stop: AbortSignal): Promise<void> {
    this.#stop = stop
    for (const { id } of this.#deps.store.livePullRequests()) this.take(id)
    await aborted(stop)
    await Promise.all(this.#driven.values())
  }

  /** Starts driving a new one. */
  take(id: PullRequestId): void {
    const stop = this.#stop
    if (stop === null || stop.aborted || this.#driven.has(id)) return
    this.#driven.set(
      id,
      this.#drive(id, stop).finally(() => this.#driven.delete(id)),
    )
  }

  async #drive(id: PullRequestId, stop: AbortSignal): Promise<void> {
    const { store, clock, log } = this.#deps
    for (let bugs = 0; !stop.aborted;) {
      try {
        const row = store.pullRequest(id)
        if (row === null || !isLivePullRequest(row.state)) return
        if (bugs >= MOST_BUGS)
          await this.#move(row, {
            type: 'failed',
            detail: 'Internal error; the server log has the details. Ask again.',
          })
        else await this.#step(row, stop)
      } catch (error) {
        if (stop.aborted) return
        if (isPassing(error)) {
          await clock.sleep(DATABASE_RETRY_MS, stop)
          continue
        }
        bugs += 1
        log.error({ error, pullRequest: id }, 'a step of a pull request failed; trying again')
        if (bugs > MOST_BUGS) return
        await clock.sleep(AFTER_A_BUG_MS, stop)
      }
    }
  }

  async #step(row: PullRequest, stop: AbortSignal): Promise<void> {
    const { clock, store } = this.#deps
    const step = pullRequestStep(row, await this.#facts(row))
    switch (step.do) {
      case 'wait_for_review':
        return until(store, () => this.#cancelled(row) || isFinished(store, row), stop)
      case 'wait': {
        const over = new AbortController()
        const either = AbortSignal.any([stop, over.signal])
        await Promise.race([
          clock.sleep(step.until - clock.now(), either),
          until(store, () => this.#cancelled(row), either),
        ])
        return over.abort()
      }
      case 'review':
        return this.#unlessStopped(row, await this.#reviewAgain(row, stop), stop)
      case 'move':
        return this.#move(row, step.move)
      case 'push':
        return this.#unlessStopped(row, await publishWorkBranch(this.#deps, row, stop), stop)
      case 'open':
        return this.#unlessStopped(row, await openOnForge(this.#deps, row, stop), stop)
    }
  }

  /** A call that was cut off by the server's stop failed only for that reason, so its failure does not count. */
  async #unlessStopped(row: PullRequest, move: PullRequestMove | null, stop: AbortSignal): Promise<void> {
    const done = move !== null && ['reviewed_again', 'pushed', 'opened', 'left'].includes(move.type)
    if (move !== null && (done || !stop.aborted)) await this.#move(row, move)
  }

  async #move({ id }: PullRequest, move: PullRequestMove): Promise<void> {
    if (this.#deps.store.pullRequest(id) === null) return // its project was removed
    const moved = await this.#deps.patient.movePullRequest(id, move)
    if ('refused' in moved) throw new Error(moved.refused)
  }

  #cancelled({ id }: PullRequest): boolean {
    const row = this.#deps.store.pullRequest(id)
    return row === null || row.cancelRequestedAt !== null
  }

  async #facts(row: PullRequest): Promise<PullRequestFacts> {
    const { store, hub, clock } = this.#deps
    const review = store.review(row.review)
    const execution = store.execution(row.review)
    const tip = await hub.tip(row.project, `refs/heads/${row.branch}`)
    return {
      now: clock.now(),
      tip,
      // The beads that the review filed may be in a later commit of their own.
      sameWork: tip !== null && review !== null && (await hub.isSameWork(row.project, review.to, tip)),
      review:
        review && execution
          ? {
              state: isFinished(store, row) ? execution.state : 'RUNNING',
              detail: execution.detail,
              verdict: review.verdict,
              commit: review.to,
            }
          : null,
    }
  }

  async #reviewAgain({ project, branch }: PullRequest, stop: AbortSignal): Promise<PullRequestMove | null> {
    // It fetches, and a remote that does not answer must not delay the stop.
    const asked = await orAborted(stop, this.#deps.askReview(project))
    if (asked === null) return null
    if (asked instanceof Problem)
      return asked.status === 502
        ? { type: 'away', why: asked.message, retryAt: null }
        : { type: 'failed', detail: `${asked.message}.` }
    const { id, from, to: commit } = asked.view
    return asked.view.branch === branch
      ? { type: 'reviewed_again', review: id as ExecutionId, from, commit }
      : { type: 'failed', detail: `The work branch is now ${asked.view.branch}; ask again.` }
  }
}

/** The review has ended, and its issues have their beads. */
function isFinished(store: Store, { review }: PullRequest): boolean {
  const execution = store.execution(review)
  return execution === null || (execution.endedAt !== null && store.pipelineSteps(review).includes('bead'))
}

/** Checks after every change, until it holds or `stop` aborts. */
function until(store: Store, holds: () => boolean, stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (!stop.aborted && !holds()) return
      for (const leave of leaving) leave()
      resolve()
    }
    const leaving = [store.onChange(look), store.onEvent(look), () => stop.removeEventListener('abort', look)]
    stop.addEventListener('abort', look)
    look()
  })
}
