import { commitMessage } from '@beadloom/core/records/branch.ts'
import { descriptionBounds } from '@beadloom/core/bead/task-text.ts'
import type { SessionId } from '@beadloom/core/records/ids.ts'
import type { Message } from '@beadloom/core/records/message.ts'
import type { Verification } from '@beadloom/core/records/verification.ts'
import { phaseFacts } from '@beadloom/core/plan/phase-facts.ts'
import { buildFixPrompt, buildSubtaskPrompt } from '@beadloom/core/plan/phase-context.ts'
import type { PhaseHistory, PhaseRole, Round } from '@beadloom/core/plan/phase-step.ts'
import type { Subtask } from '@beadloom/core/records/plan.ts'
import { buildReviewPrompt } from '@beadloom/core/review/review-prompt.ts'
import { saveRefOf } from '../../execution/save-ref.ts'
import { storedOf, type LiveExecution } from '../../execution/live-execution.ts'
import { beginSession, orderOf, signedCheckoutOf } from '../../sandbox/begin-session.ts'
import type { SessionPlan } from '../../sandbox/session-plan.ts'
import { workerOrderOf } from '../agent-order-of.ts'
import { answerBy, answeringPlan } from '../answering.ts'
import { nextPrompt } from '../next-prompt.ts'
import { askedBefore, type Heard } from '../questions.ts'
import { reviewedFiles } from '../review/reviewed-files.ts'
import { settingsOfReview } from '../review/review-settings.ts'
import { digestOfFailures } from '../work/failure-digest.ts'
import { surroundings } from '../surroundings.ts'
import { taskOf } from '../task-of.ts'
import { filesFor, logsOfPhase, previousOf, summariesBefore } from './phase-files.ts'
import { planOf } from './phase-history.ts'
import { conflictOf, startOfPhase, startOfSubtask } from './phase-trees.ts'

export type InPhase = { round: Round; role: PhaseRole; subtask: string }

/** The question before a session that continues, and the messages since. `kept`: its sandbox is there. */
export type Continued = { question: string; said: readonly Message[]; kept: boolean }

/** Stores the session's row, with its part in the phase. */
export const beginInPhase = (live: LiveExecution, { round, role, subtask }: InPhase): Promise<SessionId> =>
  beginSession(live, 'work', round.number, { role, subtask })

/** For a subtask, or for mending: the session leaves one commit on a ref of its own and pushes nothing. */
export async function workPlan(
  live: LiveExecution,
  history: PhaseHistory,
  id: SessionId,
  { round, role, subtask }: InPhase,
  continued: Continued | null = null,
): Promise<SessionPlan & { from: string }> {
  const { bead, project, stopper, deps } = live
  const own = history.plan[round.phase - 1]?.find((one) => one.id === subtask)
  const from = own ? await startOfSubtask(live, history, round, own) : treeBefore(history, round)
  const ref = saveRefOf(id)
  const logs = await logsOfPhase(live, history, round.phase)
  const { branch } = storedOf(live)
  const given = { userContext: await contextOf(live, from), logs: logs.map(({ path }) => path) }
  const prompt = own ? await subtaskPrompt(live, history, round, own, given) : fixPrompt(live, history, round, given)
  return {
    id,
    attempt: round.number,
    from,
    order: orderOf(live, id, await signedCheckoutOf(live, branch, from), {
      kind: 'work',
      prompt: `${prompt}${continued === null ? '' : askedBefore(continued.question, continued.said)}`,
      ...(continued?.kept && { continues: nextPrompt(continued.said, ENDING) ?? ENDING }),
      fresh: continued?.kept !== true,
      commitMessage: commitMessage(bead.id, bead.title),
      saveRef: ref,
      leaves: ref,
      files: filesFor(live, logs),
      agent: await workerOrderOf(live, id, []),
      blockedGraceMs: deps.blockedGraceMs,
    }),
    access: { project: project.id, execution: live.id, pushable: { only: ref } },
    // A scenario may have a part for each subtask.
    agent: role === 'fix' ? `fix:${bead.id}` : `${bead.id}:${subtask}`,
    signal: stopper.signal,
  }
}

const ENDING =
  'Do what it asks for within your assignment, then continue with that. Do not commit. When it is done, end your turn.'

/** The tree whose checks failed; without one, the tree before it. */
const treeBefore = (history: PhaseHistory, round: Round): string =>
  history.rounds.findLast((one) => one.number < round.number && one.phase === round.phase && one.commit !== null)
    ?.commit ?? startOfPhase(history, round.phase)

/** Texts that every agent of a phase gets beside its task. */
type Given = { userContext: string; logs: readonly string[] }

/** A person's note, and the agent's surroundings. */
const contextOf = async (live: LiveExecution, from: string): Promise<string> =>
  [storedOf(live).context, ...(await surroundings(live, from, true))].filter(Boolean).join('\n\n')

const subtaskPrompt = async (
  live: LiveExecution,
  history: PhaseHistory,
  round: Round,
  subtask: Subtask,
  given: Given,
): Promise<string> =>
  buildSubtaskPrompt({
    ...given,
    task: taskOf(live, descriptionBounds.subtask),
    plan: planOf(live),
    subtask,
    summaries: summariesBefore(live, round.phase),
    previous: previousOf(history, round.phase),
    conflict: await conflictOf(live, history, round, subtask),
  })

function fixPrompt(live: LiveExecution, history: PhaseHistory, round: Round, given: Given): string {
  const rounds = history.rounds.filter((one) => one.phase === round.phase && one.attempt === round.attempt)
  const numbers = new Set(rounds.map(({ number }) => number))
  const digest = digestOfFailures(history.verifications.filter((row) => numbers.has(row.attempt)))
  return buildFixPrompt(
    {
      ...given,
      task: taskOf(live, descriptionBounds.subtask),
      plan: planOf(live),
      summaries: summariesBefore(live, round.phase),
    },
    history.plan[round.phase - 1] ?? [],
    digest === '' ? 'Nothing was changed: the subtasks below are still to be done.' : digest,
  )
}

/** The rows of the last verification of this tree. */
function lastChecksOf({ verifications }: PhaseHistory, { number }: Round, commit: string): Verification[] {
  const rows = verifications.filter(
    (row) => row.attempt === number && row.purpose === 'attempt' && row.commit === commit,
  )
  return rows.filter(({ run }) => run === rows.at(-1)?.run)
}

/** The execution as its reviewer sees it, perhaps with another agent. */
export const asReviewer = (live: LiveExecution): LiveExecution => ({
  ...live,
  settings: settingsOfReview(live.settings),
})

/** A review of exactly the diff of a phase. */
export async function reviewPlan(
  live: LiveExecution,
  history: PhaseHistory,
  id: SessionId,
  { round, commit, wrong, heard }: { round: Round; commit: string; wrong: string | null; heard?: Heard },
): Promise<SessionPlan> {
  const { bead, project, settings } = live
  const { branch } = storedOf(live)
  const from = startOfPhase(history, round.phase)
  const subtasks = history.plan[round.phase - 1] ?? []
  const parts = subtasks
    .map((one) => `[${one.type}] ${one.title}\nFiles: ${one.filesTouched.join(', ')}\n\n${one.description}`)
    .join('\n\n')
  const whole = taskOf(live, descriptionBounds.reviewer)
  // The bead's own words come first: they are bounded, and the subtasks need not be.
  const description = `The whole bead, which all phases together do:\n\n${whole.description || '(no description)'}\n\nThis phase of it:\n\n${parts}`
  const asked = buildReviewPrompt({
    projectName: settings.name,
    techStack: settings.techStack,
    task: { id: bead.id, title: `Phase ${round.phase} of ${history.plan.length}: ${bead.title}`, description },
    branch,
    from,
    to: commit,
    files: await reviewedFiles(live, { project: project.id, bead: bead.id, from, to: commit }),
    checks: settings.verify.map(({ command }) => command),
    facts: phaseFacts(history.plan, round.phase, lastChecksOf(history, round, commit)),
    wrong,
    answerBy: answerBy(live),
  })
  const prompt = `${asked}${heard?.text ?? ''}`
  return answeringPlan(live, { id, attempt: round.number, prompt, at: commit, branch, as: `review:${bead.id}` })
}
