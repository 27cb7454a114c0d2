import type { Execution, TerminalState } from '../records/execution.ts'
import type { Reason } from './reason.ts'

/** The end of work on a bead. */
export type Ending = Pick<Execution, 'bead' | 'reason' | 'failureKind'> & { state: TerminalState; endedAt: number }

/** The number of beads in a row: two may be chance, and each costs a container and its tokens. */
export const BRAKE_AFTER = 3

/** Endings that are read to find out: a person may have run the same bead again and again. */
export const MOST_ENDINGS = 20

/**
 * Why autopilot starts nothing more by itself: the last beads that it tried all ended in the same way. A bead that a
 * person stopped does not count. A question is the agent's own, and a bead that was done shows that beads can be done.
 *
 * @param endings the newest first
 * @param since the time at which a person let autopilot start again, milliseconds UTC
 */
export function brakeOf(endings: readonly Ending[], since: number): Reason | null {
  const counted = endings.filter(({ state, endedAt }) => state !== 'CANCELLED' && endedAt > since)
  const cause = counted[0] ? causeOf(counted[0]) : null
  if (cause === null) return null
  const beads = new Set<string>()
  for (const ending of counted) {
    if (causeOf(ending) !== cause) break
    beads.add(ending.bead)
  }
  if (beads.size < BRAKE_AFTER) return null
  const named = [...beads].slice(0, BRAKE_AFTER)
  return {
    code: 'autopilot_paused',
    text: `autopilot paused itself: the last ${named.length} beads ended alike (${cause}). Look into one of them, then resume the project. Autopilot also resumes when a bead that you run completes`,
    beads: named,
  }
}

/** The same text for beads that failed alike; null: this end is no failure. */
function causeOf({ state, reason, failureKind }: Ending): string | null {
  switch (state) {
    case 'FAILED':
      return (failureKind ?? reason ?? 'failed').replaceAll('_', ' ')
    case 'TIMEOUT':
      return reason === 'silence' ? 'no output' : 'time limit reached'
    case 'COMPLETED':
    case 'BLOCKED':
    case 'CANCELLED':
      return null
  }
}
