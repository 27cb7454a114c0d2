import { shortened } from '../text/shortened.ts'

/** One reason, machine-readable by `code` and as a sentence for people. */
export type Reason = {
  code:
    | 'running'
    | 'push_pending'
    | 'done'
    | 'waits_for_bead'
    | 'waits_for_children'
    | 'not_open'
    | 'odd_status'
    | 'claimed'
    | 'deferred'
    | 'not_work'
    | 'manual'
    | 'autopilot_paused'
    | 'plan_waits'
    | 'phase_waits'
    | 'paused'
    | 'in_plan'
    | 'project_paused'
    | 'slots_in_use'
    | 'behind_others'
    | 'share_used'
    | 'project_limit'
    | 'no_model'
    | 'no_docker'
    | 'engine_away'
    | 'engine_full'
    | 'no_disk'
    | 'settling'
    | 'project_broken'
    | 'base_proving'
    | 'base_broken'
    | 'retry_later'
    | 'model_parked'
    | 'budget_exhausted'
    | 'already_tried'
    | 'changed_meanwhile'
    | 'needs_human'
    | 'starting'
  /** "waits for bl-4f2", "3 of 3 slots in use", "retry at 14:05 UTC". */
  text: string
  /** Beads that it waits for. */
  beads?: string[]
  /** The time at which it ends by itself, milliseconds UTC, if known. */
  until?: number
}

/** Somebody has to act before the bead can start, even if its tracker calls it ready. */
const heldUp: readonly Reason['code'][] = [
  'needs_human',
  'plan_waits',
  'in_plan',
  'project_broken',
  'base_broken',
  'no_model',
  'no_docker',
  'engine_away',
  'no_disk',
]

/** Whether a press of Run has an effect on a bead that its tracker calls ready. */
export const canStart = (reason: Reason | null): boolean => reason === null || !heldUp.includes(reason.code)

/** Whether both reasons look the same to people. */
export const sameReason = (a: Reason | null | undefined, b: Reason | null | undefined): boolean =>
  a?.code === b?.code && a?.text === b?.text

/** The limit exists because hundreds of cards may show the same reason. */
const LONGEST_TEXT = 500

/**
 * A reason for a bead's card: a stranger's text is cut, and `where` names the place of the whole text ("the project's
 * page").
 */
export const briefly = (reason: Reason | null, where: string): Reason | null =>
  reason === null || reason.text.length <= LONGEST_TEXT
    ? reason
    : { ...reason, text: `${shortened(reason.text, LONGEST_TEXT)} All of it is on ${where}.` }
