import { changedWords, wordsOf } from '../ports/bead-words.ts'
import type { ChangeOutcome, TrackerChange } from '../ports/tracker.ts'
import { ACTOR, TIMEOUT_LABEL, wordOf } from '../ports/tracker.ts'
import type { JsonObject } from './jsonl/json-object.ts'

type Status = Extract<TrackerChange, { kind: 'status' }>

/**
 * What to write for a bead's status, including a timeout's label; or why nothing is written. `there`: it is up to date.
 */
export type StatusPlan = 'there' | ChangeOutcome | { word: string; addLabel: boolean; dropLabel: boolean }

/**
 * Compares our status with the tracker's current one. If that differs from the one last seen, a person has set it, and
 * it wins; so does another person's claim. The label counts as ours only together with the status that we write with
 * it.
 */
export function planStatus(change: Status, issue: JsonObject): StatusPlan {
  const theirs = textOf(issue['status']) || 'open'
  const labels = Array.isArray(issue['labels']) ? issue['labels'] : []
  const word = wordOf(change.status)
  const by = word === 'in_progress' && theirs === word ? claimant(change, issue) : null
  if (by !== null)
    return {
      result: 'overruled',
      by,
      text: `${change.bead} is claimed by ${by} in the tracker, and that claim is kept`,
    }
  const labelled = labels.includes(TIMEOUT_LABEL)
  const timedOut = change.status === 'timeout'
  const dropLabel = labelled && !timedOut && theirs === 'blocked'
  if (theirs === word && !dropLabel && (labelled || !timedOut)) return 'there'
  if (theirs !== change.seen && theirs !== word)
    return { result: 'overruled', text: `${change.bead} was set to "${theirs}" in the tracker, and that is kept` }
  const changed = change.given === null ? [] : changedWords(change.given, wordsIn(issue))
  if (changed.length > 0) return { result: 'outdated', changed }
  return { word, addLabel: timedOut && !labelled, dropLabel }
}

/**
 * Who works on a bead that is in progress, if that is not Beadloom. Without an assignee there is no claim, and one that
 * has not changed since the last read was handled then.
 */
function claimant(change: Status, issue: JsonObject): string | null {
  const assignee = textOf(issue['assignee'])
  if (assignee === '' || assignee === ACTOR) return null
  return change.seen === 'in_progress' && (change.assignee ?? assignee) === assignee ? null : assignee
}

const wordsIn = (issue: JsonObject) =>
  wordsOf({
    title: textOf(issue['title']),
    description: textOf(issue['description']),
    raw: JSON.stringify(issue),
  })

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
