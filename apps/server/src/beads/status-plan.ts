import { actorName } from '@beadloom/core/bead/actor.ts'
import type { JsonObject } from '@beadloom/core/text/json-object.ts'
import { changedWords, wordsOf } from '../ports/bead-words.ts'
import type { ChangeOutcome, TrackerChange } from '../ports/tracker.ts'
import { ACTOR, FAILED_LABEL, TIMEOUT_LABEL } from '@beadloom/core/bead/tracker-marks.ts'
import { wordOf } from '../ports/tracker.ts'

type Status = Extract<TrackerChange, { kind: 'status' }>

/**
 * The edit for a bead's status, with the labels that say more about it; or why nothing is written. `there`: it is up to
 * date. `assign`: to Beadloom, to nobody, or unchanged.
 */
export type StatusPlan = 'there' | ChangeOutcome | StatusEdit
export type StatusEdit = { word: string; add: string[]; drop: string[]; assign: 'ours' | 'nobody' | 'as-is' }

/**
 * Compares our status with the tracker's current one. If that differs from the one last seen, a person has set it, and
 * it wins; so does another person's claim, and so does a label that Beadloom did not add.
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
  const edit: StatusEdit = { word, ...labelEdits(change, theirs, labels), assign: assignment(change, issue) }
  if (theirs === word && edit.add.length === 0 && edit.drop.length === 0 && edit.assign === 'as-is') return 'there'
  if (theirs !== change.seen && theirs !== word)
    return { result: 'overruled', text: `${change.bead} was set to "${theirs}" in the tracker, and that is kept` }
  const changed = change.given === null ? [] : changedWords(change.given, wordsIn(issue))
  if (changed.length > 0) return { result: 'outdated', changed }
  return edit
}

function labelEdits(change: Status, theirs: string, labels: unknown[]): Pick<StatusEdit, 'add' | 'drop'> {
  const rules = [
    { label: TIMEOUT_LABEL, wanted: change.status === 'timeout', ours: theirs === 'blocked' },
    { label: FAILED_LABEL, wanted: change.failed, ours: change.labelled },
  ]
  return {
    add: rules.flatMap(({ label, wanted }) => (wanted && !labels.includes(label) ? [label] : [])),
    drop: rules.flatMap(({ label, wanted, ours }) => (!wanted && ours && labels.includes(label) ? [label] : [])),
  }
}

/**
 * The assignee to set. A bead is ours while we work on it. Another assignee stays, and so does the one of a closed
 * bead.
 */
function assignment({ status, held }: Status, issue: JsonObject): StatusEdit['assign'] {
  const assignee = assigneeIn(issue)
  if (held && status === 'in_progress') return assignee === '' ? 'ours' : 'as-is'
  return assignee === ACTOR && status !== 'done' ? 'nobody' : 'as-is'
}

/**
 * The person who works on a bead in progress, if not Beadloom. Without an assignee there is no claim, and an unchanged
 * claim was handled at the last read.
 */
function claimant(change: Status, issue: JsonObject): string | null {
  const assignee = assigneeIn(issue)
  if (assignee === '' || assignee === ACTOR) return null
  return change.seen === 'in_progress' && (change.assignee ?? assignee) === assignee ? null : assignee
}

const assigneeIn = (issue: JsonObject): string => actorName(textOf(issue['assignee']))

const wordsIn = (issue: JsonObject) =>
  wordsOf({
    title: textOf(issue['title']),
    description: textOf(issue['description']),
    raw: JSON.stringify(issue),
  })

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
