import type { ExecutionEnd } from '@beadloom/core/execution/execution.ts'
import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'
import { judgeReview, type CheckState, type Judgement, type ParsedAnswer } from '@beadloom/core/review/review.ts'
import { REVIEW_ATTEMPTS, reviewStep } from '@beadloom/core/review/review-step.ts'
import type { ReviewRow } from '../ports/store/reviews.ts'
import { closeContainer } from './containers.ts'
import { blockedBy, endOfExit, endOfSession, failed } from './failed.ts'
import { isVerified } from './integrate.ts'
import type { ProjectImages } from './project-image.ts'
import { withAgent } from './agent-order.ts'
import { withOutside } from './review-files.ts'
import { adoptedReview, reviewSession } from './review-session.ts'
import type { RunContext } from './run-context.ts'
import type { SessionFacts } from './run-session.ts'
import { throwIfStopped } from './stop.ts'
import { verify } from './verify.ts'

/** The reviewer may be another agent with another model; everything else is the project's. A command of its own is one. */
export const settingsOfReview = (settings: ProjectSettings): ProjectSettings => ({
  ...withAgent(settings, settings.review.agent ?? (settings.review.command === null ? settings.agent : 'command')),
  command: settings.review.command ?? settings.command,
  model: settings.review.model ?? settings.model,
  maxAttempts: REVIEW_ATTEMPTS,
  beads: {},
})

/**
 * A fresh session, once more where its answer cannot be used, and the project's own checks where the reviewer calls the
 * commit ready. What comes next is read from the store each time, as for work.
 */
export async function reviewUntilJudged(run: RunContext, images: ProjectImages): Promise<ExecutionEnd> {
  const { store } = run.deps
  const { id, maxSessions } = run.execution
  const review = store.review(id)
  if (!review) throw new Error(`the review ${id} has no row of its own`)
  for (;;) {
    const step = reviewStep({ maxSessions, sessions: store.sessions(id), answers: store.answers(id) })
    if (step.do !== 'adopt') throwIfStopped(run.stopper)
    switch (step.do) {
      case 'ask': {
        const image = await imageOf(run, review, images)
        const end = await afterSession(run, await reviewSession(run, review, image, step))
        if (end) return end
        break
      }
      case 'adopt': {
        const end = await afterSession(run, await adoptedReview(run, review, step))
        if (end) return end
        break
      }
      case 'judge':
        return judge(run, review, step.parsed, images)
      case 'settle':
        return endOfSession(run.settings, run.execution, store.session(step.session)!)
      case 'sessions_used':
        return failed({ kind: 'too_many_sessions', sessions: maxSessions })
    }
  }
}

/** Of where the diff begins: what prepares an image is never taken from the work that is looked at. */
const imageOf = (run: RunContext, { from }: ReviewRow, images: ProjectImages): Promise<string> =>
  run.watchdog.whileOursToWait(() => images.ensure(run, from))

/** The reviewer's container goes with its session: another one begins with nothing of it. */
async function afterSession(run: RunContext, facts: SessionFacts): Promise<ExecutionEnd | null> {
  const { container } = run
  run.container = null
  if (container) await closeContainer(run, container)
  throwIfStopped(run.stopper)
  if (facts.blocked !== null) return blockedBy(facts.blocked)
  if (facts.outcome === 'infra_error') return endOfExit(facts.exit, run.settings.limits.memoryBytes)
  return facts.outcome === 'success' ? null : endOfSession(run.settings, run.execution, facts)
}

async function judge(
  run: RunContext,
  review: ReviewRow,
  parsed: ParsedAnswer,
  images: ProjectImages,
): Promise<ExecutionEnd> {
  const { store } = run.deps
  const judgement = judgeReview(parsed, await checksOf(run, review, parsed, images))
  const answer = 'answer' in parsed ? parsed.answer : null
  const issues = answer ? await withOutside(run, review, answer.issues) : []
  throwIfStopped(run.stopper)
  store.judgeReview(run.execution.id, { ...judgement, summary: answer?.summary ?? '', issues })
  const count = issues.length
  return { state: 'COMPLETED', commit: review.to, detail: sentenceOf(judgement, count) }
}

function sentenceOf({ verdict, reasons }: Judgement, count: number): string {
  const issues = count === 0 ? 'no issues' : count === 1 ? '1 issue' : `${count} issues`
  if (verdict === 'ready') return `Ready for a pull request: ${issues}.`
  const why = reasons.join('; ')
  return verdict === 'unparseable' ? `Not approved: ${why}.` : `Not ready for a pull request, ${issues}: ${why}.`
}

/** Each is a diff; what is older was verified before other work came. */
const MOST_COMPARED = 10

/** Run here only where they decide: a reviewer that says no has said enough. */
async function checksOf(
  run: RunContext,
  review: ReviewRow,
  parsed: ParsedAnswer,
  images: ProjectImages,
): Promise<CheckState> {
  if (!('answer' in parsed) || !parsed.answer.pr_ready) return 'not_run'
  const { store } = run.deps
  if (store.isVerified(review.project, review.to)) return 'passed'
  // Only beads may have been written since.
  if (await isVerified(run, review.to, store.verifiedCommits(review.project, MOST_COMPARED))) return 'passed'
  if (run.settings.verify.length === 0) return 'none'
  const image = await imageOf(run, review, images)
  const attempt = Math.max(1, run.execution.attempt)
  const { passed } = await verify(run, image, review.to, { attempt, purpose: 'attempt' })
  return passed ? 'passed' : 'failed'
}
