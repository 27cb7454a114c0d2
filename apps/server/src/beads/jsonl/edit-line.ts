import type { JsonObject } from '@beadloom/core/text/json-object.ts'
import { descriptionFor, encode } from '@beadloom/core/bead/tracker-line.ts'
import type { ChangeOutcome, TrackerChange } from '../../ports/tracker.ts'
import { ACTOR } from '@beadloom/core/bead/tracker-marks.ts'
import { KEYS } from './bead-text.ts'
import { appendTo, removeMember, setMember } from '@beadloom/core/text/json-members.ts'
import { planStatus } from '../status-plan.ts'

/** Advances `updated_at` by at least a second: importers compare whole seconds, and the newer line wins. */
export function touched(line: string, object: JsonObject, now: number): string {
  const before = Date.parse(String(object['updated_at']))
  const at = Number.isNaN(before) ? now : Math.max(now, before + 1000)
  return setMember(line, 'updated_at', encode(new Date(at).toISOString()), KEYS)
}

type Status = Extract<TrackerChange, { kind: 'status' }>
type Describe = Extract<TrackerChange, { kind: 'describe' }>

const labelsOf = (object: JsonObject): string[] =>
  Array.isArray(object['labels']) ? object['labels'].filter((label) => typeof label === 'string') : []

/** The line with our status, unless a person has set another one since the last read. */
export function setStatus(line: string, object: JsonObject, change: Status, now: number): string | ChangeOutcome {
  const plan = planStatus(change, object)
  if (plan === 'there') return line
  if ('result' in plan) return plan
  const { word, add, drop, assign } = plan
  let next = setMember(line, 'status', encode(word), KEYS)
  if (assign === 'ours') next = setMember(next, 'assignee', encode(ACTOR), KEYS)
  if (assign === 'nobody') next = removeMember(next, 'assignee')
  const at = encode(new Date(now).toISOString())
  if (word === 'closed') {
    if (object['closed_at'] === undefined) next = setMember(next, 'closed_at', at, KEYS)
    if (object['close_reason'] === undefined) next = setMember(next, 'close_reason', encode(change.reason), KEYS)
  } else for (const key of ['closed_at', 'close_reason', 'closed_by_session']) next = removeMember(next, key)
  if (drop.length > 0) next = withoutLabels(next, labelsOf(object), drop)
  for (const label of add) next = appendTo(next, 'labels', encode(label), KEYS)
  return touched(next, object, now)
}

function withoutLabels(line: string, labels: string[], drop: string[]): string {
  const left = labels.filter((label) => !drop.includes(label))
  return left.length === 0 ? removeMember(line, 'labels') : setMember(line, 'labels', encode(left), KEYS)
}

/** Sets the description, unless a person has changed it; labels are only added. */
export function describeLine(line: string, object: JsonObject, change: Describe, now: number): string | ChangeOutcome {
  const theirs = typeof object['description'] === 'string' ? object['description'] : ''
  const ours = descriptionFor(change.description)
  if (change.was !== null && theirs !== descriptionFor(change.was) && theirs !== ours)
    return {
      result: 'overruled',
      text: `the description of ${change.bead} was changed in the tracker, so that version is kept`,
    }
  const missing = change.labels.filter((label) => !labelsOf(object).includes(label))
  if (theirs === ours && missing.length === 0) return line
  let next = setMember(line, 'description', encode(ours), KEYS)
  for (const label of missing) next = appendTo(next, 'labels', encode(label), KEYS)
  return touched(next, object, now)
}
