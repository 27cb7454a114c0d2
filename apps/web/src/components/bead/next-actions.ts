import type { ExecutionView, FollowUpView } from '@beadloom/core/api/api.ts'
import type { BeadStatus } from '@beadloom/core/bead/bead.ts'
import { isTerminal, type FailureReason } from '@beadloom/core/execution/execution.ts'

/** What a person can do about a bead whose last run did not end well, with the sentence that says when. */
export type Way =
  | { way: 'close'; says: string }
  /** The bead that was filed for the failure; `live`: its agent is at work on it already. */
  | { way: 'follow-up'; bead: string; live: boolean; says: string }
  | { way: 'note'; says: string }
  | { way: 'again'; says: string }

type Ended = Pick<ExecutionView, 'state' | 'reason' | 'followUps'>

/** Follow-ups that an agent can take; the others ask a person. */
const forAgents: readonly string[] = ['tests_failing', 'execution_failed']
/** Nothing is wrong with the work: what carried it broke, or it was cut short. */
const cutShort: readonly FailureReason[] = [
  'infra_error',
  'orchestrator_restart',
  'retries_exhausted',
  'turn_limit',
  'budget_exhausted',
]

/** The usual one first. Empty where the last run ended well, still runs, or was a person's own stop. */
export function waysOn(
  status: BeadStatus,
  execution: Ended | null,
  isLive: (bead: string) => boolean = () => false,
): Way[] {
  if (execution === null || status === 'done' || !isTerminal(execution.state)) return []
  const { state, reason, followUps } = execution
  if (state === 'COMPLETED' || state === 'CANCELLED') return []
  const finished = followUps.length > 0 && followUps.every((one) => one.status === 'done')
  const filed = followUps.find((one) => one.status !== 'done' && forAgents.includes(one.kind))
  const followUp = filed ? [wayOf(filed, isLive(filed.bead))] : []
  const again: Way = { way: 'again', says: 'A fresh agent goes on from its branch as it is, with the same words.' }
  const note: Way = {
    way: 'note',
    says: 'The same, and you tell the agent what it needs to know, or choose another one.',
  }
  if (finished)
    return [
      {
        way: 'close',
        says: `${followUps.map(({ bead }) => bead).join(', ')} is done: close this one if that was all.`,
      },
      { ...again, says: 'If something of it is still missing: a fresh agent goes on from its branch.' },
      note,
    ]
  if (state === 'BLOCKED') {
    const reminder = followUps.find((one) => one.status !== 'done')
    const after = reminder ? ` When it is done, close ${reminder.bead}, which only reminds of it.` : ''
    return [{ ...note, says: `Answer its question: the agent gets your words.${after}` }, again]
  }
  if (state === 'TIMEOUT')
    return [{ ...again, says: 'What it has done is on its branch: a fresh agent goes on there.' }, note]
  if (reason === 'push_conflict')
    return [{ ...again, says: 'Mend the conflict on its branch first; then a fresh agent goes on from there.' }, note]
  if (cutShort.some((one) => one === reason))
    return [{ ...again, says: 'Its work was cut short: a fresh agent goes on from its branch.' }, note, ...followUp]
  return [...followUp, note, again]
}

const wayOf = ({ bead }: FollowUpView, live: boolean): Way => ({
  way: 'follow-up',
  bead,
  live,
  says: live
    ? 'Its agent is at work on what failed: wait for its end.'
    : 'It starts from the failed work, and its agent gets what the checks said.',
})

/** For the dialog of a run with options: what is usually done instead, or that this is it. Null where nothing is usual. */
export function usualWords([usual]: readonly Way[]): string | null {
  switch (usual?.way) {
    case undefined:
      return null
    case 'close':
      return `Usual here: to close it. ${usual.says}`
    case 'follow-up':
      return `Usual here: to run ${usual.bead} instead, the bead that was filed for the failure. ${usual.says}`
    case 'note':
      return 'Usual here: this, with a note.'
    case 'again':
      return 'Usual here: to run it again as it is, without a note.'
  }
}
