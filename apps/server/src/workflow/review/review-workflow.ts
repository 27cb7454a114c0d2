import type { ExecutionEnd } from '@beadloom/core/records/execution.ts'
import { judgeReview, type CheckState, type Judgement, type ParsedAnswer } from '@beadloom/core/review/review.ts'
import type { Ask } from '@beadloom/core/review/ask-step.ts'
import { reviewStep, type ReviewStep } from '@beadloom/core/review/review-step.ts'
import { endOfSession, failed } from '../../execution/ends.ts'
import { storedOf, type LiveExecution } from '../../execution/live-execution.ts'
import { throwIfStopped } from '../../execution/stop.ts'
import type { ReviewRow } from '../../ports/store/reviews.ts'
import { isVerified } from '../../publish/integrate.ts'
import { wishOf } from '../../sandbox/environment-wish.ts'
import type { ProjectEnvironments } from '../../sandbox/project-environment.ts'
import { endedSession } from '../../sandbox/ended-session.ts'
import type { SessionFacts } from '../../sandbox/session-plan.ts'
import type { Workspace } from '../../sandbox/workspace.ts'
import { verify } from '../../verify/verify.ts'
import { afterAnswering, askHistory, askAbout } from '../answering.ts'
import type { Workflow } from '../workflow.ts'
import { adoptedPlan, reviewerModel, sessionPlan } from './review-session.ts'
import { withOutside } from './reviewed-files.ts'

/** Each takes a diff; older ones were verified before other work came. */
const MOST_COMPARED = 10

/**
 * A fresh session, a second one if its answer cannot be used, and the project's own checks if the reviewer calls the
 * commit ready.
 */
export class ReviewWorkflow implements Workflow<ReviewStep> {
  readonly #live: LiveExecution
  readonly #workspace: Workspace
  readonly #environments: ProjectEnvironments
  readonly #review: ReviewRow

  constructor(live: LiveExecution, workspace: Workspace, environments: ProjectEnvironments) {
    this.#live = live
    this.#workspace = workspace
    this.#environments = environments
    const review = live.deps.store.review(live.id)
    if (!review) throw new Error(`the review ${live.id} has no row of its own`)
    this.#review = review
  }

  next(): ReviewStep {
    return reviewStep(askHistory(this.#live))
  }

  async take(step: ReviewStep): Promise<ExecutionEnd | null> {
    const live = this.#live
    switch (step.do) {
      case 'ask':
        return afterAnswering(live, this.#workspace, await this.#ask(step))
      case 'adopt':
        return afterAnswering(
          live,
          this.#workspace,
          await this.#workspace.adopt(await adoptedPlan(live, this.#review, step)),
        )
      case 'ask_person':
        return askAbout(live, step.session)
      case 'judge':
        return this.#judge(step.parsed)
      case 'end_as_session':
        return endOfSession(live.settings, storedOf(live).branch, endedSession(live, step.session))
      case 'sessions_used':
        return failed({ kind: 'too_many_sessions', sessions: storedOf(live).maxSessions })
    }
  }

  async #ask(step: Ask): Promise<SessionFacts> {
    const live = this.#live
    const { store } = live.deps
    const environment = await this.#environment()
    await this.#workspace.close() // the new session takes over nothing from an earlier one
    const begin = await sessionPlan(live, this.#review, step)
    throwIfStopped(live.stopper)
    await this.#workspace.open(async () => environment)
    await store.noteReviewer(live.id, await reviewerModel(live))
    await store.noteExecution(live.id, { attempt: step.attempt })
    return this.#workspace.session(await begin())
  }

  /** From where the diff begins: an environment is never prepared by the work under review. */
  #environment(): Promise<string> {
    const live = this.#live
    return live.watchdog.whileOursToWait(() => this.#environments.ensure(wishOf(live), this.#review.from))
  }

  async #judge(parsed: ParsedAnswer): Promise<ExecutionEnd> {
    const live = this.#live
    const judgement = judgeReview(parsed, await this.#checks(parsed))
    const answer = 'answer' in parsed ? parsed.answer : null
    // They become beads, and reach the tracker.
    const issues = answer ? await live.deps.aside.masked(await withOutside(live, this.#review, answer.issues)) : []
    throwIfStopped(live.stopper)
    await live.deps.store.judgeReview(live.id, { ...judgement, summary: answer?.summary ?? '', issues })
    return { state: 'COMPLETED', commit: this.#review.to, detail: sentenceOf(judgement, issues.length) }
  }

  /** Run here only if they decide: a reviewer's no is enough. */
  async #checks(parsed: ParsedAnswer): Promise<CheckState> {
    if (!('answer' in parsed) || !parsed.answer.pr_ready) return 'not_run'
    const live = this.#live
    const { store } = live.deps
    const { project, to } = this.#review
    if (store.isVerified(project, to)) return 'passed'
    // Only beads may have been written since.
    if (await isVerified(live, to, store.verifiedCommits(project, MOST_COMPARED))) return 'passed'
    if (live.settings.verify.length === 0) return 'none'
    const attempt = Math.max(1, storedOf(live).attempt)
    const { passed } = await verify(live, await this.#environment(), to, { attempt, purpose: 'attempt' })
    return passed ? 'passed' : 'failed'
  }
}

function sentenceOf({ verdict, reasons }: Judgement, count: number): string {
  const issues = count === 0 ? 'no issues' : count === 1 ? '1 issue' : `${count} issues`
  if (verdict === 'ready') return `Ready for a pull request: ${issues}.`
  const why = reasons.join('; ')
  return verdict === 'unparseable' ? `Not approved: ${why}.` : `Not ready for a pull request, ${issues}: ${why}.`
}
