import type { TrackerChange } from '../ports/tracker.ts'
import { TIMEOUT_LABEL, wordOf } from '../ports/tracker.ts'

/** What is to be done about a bead's status; `label` of a timeout comes and goes with it. */
export type StatusPlan = 'there' | 'theirs' | { word: string; addLabel: boolean; dropLabel: boolean }

/**
 * Ours against what the tracker has at this moment. Another word than the one that was last seen is a person's, who
 * wins. The label is ours only together with the word that we write with it.
 */
export function planStatus(
  change: Extract<TrackerChange, { kind: 'status' }>,
  theirs: string,
  labels: readonly string[],
): StatusPlan {
  const word = wordOf(change.status)
  const labelled = labels.includes(TIMEOUT_LABEL)
  const timedOut = change.status === 'timeout'
  const dropLabel = labelled && !timedOut && theirs === 'blocked'
  if (theirs === word && !dropLabel && (labelled || !timedOut)) return 'there'
  if (theirs !== change.seen && theirs !== word) return 'theirs'
  return { word, addLabel: timedOut && !labelled, dropLabel }
}
