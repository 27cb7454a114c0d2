import type { ExecutionView, FollowUpView } from '@beadloom/core/api/executions/execution-api.ts'
import type { BeadStatus } from '@beadloom/core/records/bead.ts'
import { isUnstarted } from '@beadloom/core/records/failure/failure.ts'
import { isTerminal, type FailureReason } from '@beadloom/core/records/execution.ts'

/** An action for a bead whose last execution did not end well; `says`: its effect, or when it fits. */
export type NextAction =
  | { action: 'close'; says: string }
  /** The bead that was filed for the failure; `live`: its agent is already working on it. */
  | { action: 'follow-up'; bead: string; live: boolean; says: string }
  | { action: 'note'; says: string }
  | { action: 'again'; says: string }

type Ended = Pick<ExecutionView, 'state' | 'reason' | 'failureKind' | 'attempt' | 'followUps'>

/** Follow-ups that an agent can work on; the others ask a person. */
const forAgents: readonly string[] = ['tests_failing', 'execution_failed']
/** Failures for which the work is not to blame: something around it broke, or it was cut short. */
const cutShort: readonly FailureReason[] = [
  'infra_error',
  'orchestrator_restart',
  'retries_exhausted',
  'turn_limit',
  'budget_exhausted',
]

/** The recommended action first. Empty if the last execution ended well, still runs, or was stopped by a person. */
export function nextActions(
  status: BeadStatus,
  execution: Ended | null,
  isLive: (bead: string) => boolean = () => false,
): NextAction[] {
  if (execution === null || status === 'done' || !isTerminal(execution.state)) return []
  const { state, reason, followUps } = execution
  if (state === 'COMPLETED' || state === 'CANCELLED') return []
  const finished = followUps.length > 0 && followUps.every((one) => one.status === 'done')
  const unstarted = state === 'FAILED' && isUnstarted(execution)
  const filed = followUps.find((one) => one.status !== 'done' && forAgents.includes(one.kind))
  const followUp = filed ? [followUpAction(filed, isLive(filed.bead))] : []
  const again: NextAction = { action: 'again', says: 'A new agent continues from its branch, with the same prompt.' }
  const note: NextAction = {
    action: 'note',
    says: 'Run again and tell the agent what it needs to know, or choose another agent.',
  }
  if (finished)
    return [
      {
        action: 'close',
        says: `${followUps.map(({ bead }) => bead).join(', ')} ${followUps.length === 1 ? 'is' : 'are'} done. Close this bead if nothing else is missing.`,
      },
      { ...again, says: 'If something is still missing: a new agent continues from its branch.' },
      note,
    ]
  if (state === 'BLOCKED') {
    const reminder = followUps.find((one) => one.status !== 'done')
    const after = reminder ? `, and ${reminder.bead}, the reminder, closes` : ''
    return [{ ...note, says: `Answer the question: your note is added to the prompt${after}.` }, again]
  }
  if (state === 'TIMEOUT')
    return [{ ...again, says: 'Its work is on the branch. A new agent will continue from there.' }, note]
  if (reason === 'push_conflict')
    return [
      { ...again, says: 'A new agent merges the other work into its branch first, and continues from there.' },
      note,
    ]
  if (reason === 'not_checked')
    return [
      ...followUp,
      { ...again, says: 'Nothing that ran failed. Run again once the other tests run on the base.' },
      note,
    ]
  // Its follow-up is only a reminder, so there is nothing else to run.
  if (unstarted)
    return [{ ...again, says: 'Its agent got no container. Once that is fixed, it starts from the beginning.' }]
  if (cutShort.some((one) => one === reason))
    return [{ ...again, says: 'Its work was cut short. A new agent will continue from its branch.' }, note, ...followUp]
  return [...followUp, note, again]
}

const followUpAction = ({ bead }: FollowUpView, live: boolean): NextAction => ({
  action: 'follow-up',
  bead,
  live,
  says: live
    ? 'Its agent is already working on the failure; wait for it to finish.'
    : 'It starts from the failed work, and its agent is told what the checks reported.',
})

/** For the dialog "Run with options": the recommended action, which may be this run. Null without a recommendation. */
export function recommendedText([recommended]: readonly NextAction[]): string | null {
  switch (recommended?.action) {
    case undefined:
      return null
    case 'close':
      return `Recommended: close it. ${recommended.says}`
    case 'follow-up':
      return `Recommended: run ${recommended.bead} instead, which was created for this failure. ${recommended.says}`
    case 'note':
      return 'Recommended: run again with a note.'
    case 'again':
      return 'Recommended: run again without a note.'
  }
}
