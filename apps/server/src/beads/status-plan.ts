import { changedWords, wordsOf } from '../ports/bead-words.ts'
import type { ChangeOutcome, TrackerChange } from '../ports/tracker.ts'
import { ACTOR, TIMEOUT_LABEL, wordOf } from '../ports/tracker.ts'
import type { JsonObject } from './jsonl/json-object.ts'

type Status = Extract<TrackerChange, { kind: 'status' }>

/** What is to be done about a bead's status; `label` of a timeout comes and goes with it. Or why nothing is. */
export type StatusPlan = 'there' | ChangeOutcome | { word: string; addLabel: boolean; dropLabel: boolean }

/**
 * Ours against what the tracker has at this moment. Another word than the one that was last seen is a person's, who
 * wins; so does another one's claim. The label is ours only together with the word that we write with it.
 */
export function planStatus(change: Status, issue: JsonObject): StatusPlan {
  const theirs = textOf(issue['status']) || 'open'
  const labels = Array.isArray(issue['labels']) ? issue['labels'] : []
  const word = wordOf(change.status)
  const by = word === 'in_progress' && theirs === word ? claimant(change, issue) : null
  if (by !== null)
    return { result: 'overruled', by, text: `${change.bead} is claimed by ${by} in the tracker, and stays so` }
  const labelled = labels.includes(TIMEOUT_LABEL)
  const timedOut = change.status === 'timeout'
  const dropLabel = labelled && !timedOut && theirs === 'blocked'
  if (theirs === word && !dropLabel && (labelled || !timedOut)) return 'there'
  if (theirs !== change.seen && theirs !== word)
    return { result: 'overruled', text: `${change.bead} is "${theirs}" in the tracker since somebody said so` }
  const changed = change.given === null ? [] : changedWords(change.given, wordsIn(issue))
  if (changed.length > 0) return { result: 'outdated', changed }
  return { word, addLabel: timedOut && !labelled, dropLabel }
}

/**
 * Who works on a bead that is in progress, unless it is Beadloom. One that nobody is named for is nobody's claim, and
 * one that has not changed since it was last seen was judged then.
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
