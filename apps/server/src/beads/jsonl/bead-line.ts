import { actorName } from '@beadloom/core/bead/actor.ts'
import type { BeadDependency, BeadStatus } from '@beadloom/core/records/bead.ts'
import { InvalidInput, parseBeadId } from '@beadloom/core/records/ids.ts'
import type { ProjectId } from '@beadloom/core/records/ids.ts'
import { UNTITLED } from '../../ports/bead-words.ts'
import type { TrackedBead } from '../../ports/store/beads.ts'
import { FAILED_LABEL, TIMEOUT_LABEL } from '@beadloom/core/bead/tracker-marks.ts'
import { isObject, type JsonObject } from '@beadloom/core/text/json-object.ts'

/**
 * Our status for each of the tracker's. A `pinned` bead is open but not work, and a tombstone is done and hidden; beads
 * that wait for either stop waiting (core's `hasEnded`). Any other word is neither ready nor closed, which is what `bd`
 * expects of readers.
 */
const statuses: ReadonlyMap<string, BeadStatus> = new Map([
  ['open', 'open'],
  ['in_progress', 'in_progress'],
  ['hooked', 'in_progress'],
  ['blocked', 'blocked'],
  ['deferred', 'blocked'],
  ['closed', 'done'],
  ['pinned', 'open'],
  ['tombstone', 'done'],
])

/** Trackers have no status for a bead that ran out of time: Beadloom writes "blocked" with a label. */
const statusOf = (word: string, labels: readonly string[]): BeadStatus =>
  word === 'blocked' && labels.includes(TIMEOUT_LABEL) ? 'timeout' : (statuses.get(word) ?? 'blocked')

/** Nor for one that failed: it stays in progress, with a label and without an assignee. */
const isFailed = (word: string, labels: readonly string[], assignee: string): boolean =>
  word === 'in_progress' && labels.includes(FAILED_LABEL) && assignee === ''

/** The `trackerStatus` of a bead whose line cannot be read. */
export const UNREADABLE = 'unreadable'

export const isKnownStatus = (word: string): boolean => statuses.has(word)

export type ReadBead = { bead: TrackedBead; problems: string[] } | { refused: string }

/**
 * The bead in one line's object. Only the id is required; everything else has a default, and a value of the wrong type
 * is reported as a problem ("its title is missing").
 */
export function readBead(project: ProjectId, object: JsonObject, raw: string): ReadBead {
  const problems: string[] = []
  const { id } = object
  if (typeof id !== 'string') return { refused: 'it has no id' }
  try {
    parseBeadId(id)
  } catch (error) {
    if (error instanceof InvalidInput) return { refused: error.message }
    throw error
  }
  const text = (key: string, otherwise: string): string => {
    const value = object[key]
    if (typeof value === 'string') return value
    if (value !== undefined && value !== null) problems.push(`its ${key} is not text`)
    return otherwise
  }
  const time = (key: string): number | null => {
    const value = object[key]
    if (value === undefined || value === null) return null
    const at = typeof value === 'string' ? Date.parse(value) : Number.NaN
    if (!Number.isNaN(at)) return at
    problems.push(`its ${key} is not a date like 2026-03-01T12:00:00Z`)
    return null
  }

  const title = text('title', '')
  if (title.trim() === '') problems.push('its title is missing')
  const trackerStatus = text('status', 'open')
  const createdAt = time('created_at') ?? 0
  const labels = labelsOf(object['labels'])
  const assignee = actorName(text('assignee', ''))
  const bead: TrackedBead = {
    project,
    id: parseBeadId(id),
    title: title.trim() === '' ? UNTITLED : title,
    description: text('description', ''),
    status: statusOf(trackerStatus, labels),
    trackerStatus,
    priority: priorityOf(object['priority'], problems),
    type: text('issue_type', 'task'),
    labels,
    dependencies: dependenciesOf(object['dependencies'], problems),
    createdAt,
    updatedAt: time('updated_at') ?? createdAt,
    deferUntil: time('defer_until'),
    pinned: object['pinned'] === true,
    ephemeral: object['ephemeral'] === true || object['wisp'] === true, // its name from 0.35 to 0.37
    template: object['is_template'] === true,
    ...(assignee === '' ? {} : { assignee }),
    ...(isFailed(trackerStatus, labels, assignee) ? { failed: true as const } : {}),
    raw,
  }
  return { bead, problems }
}

/**
 * Stands in for a bead whose line is broken but still shows its id. Without it, the bead would count as missing, and
 * beads that wait for it would start.
 */
export function unreadableBead(project: ProjectId, line: string, title: string): TrackedBead | null {
  const id = /^\s*\{(?:\s*"_type"\s*:\s*"issue"\s*,)?\s*"id"\s*:\s*"([^"\\]{1,128})"/.exec(line)?.[1]
  if (id === undefined) return null
  const read = readBead(project, { id, title, status: UNREADABLE, priority: 2 }, line)
  return 'bead' in read ? read.bead : null
}

/** A missing priority is 0 (critical), as in `bd`, whose writers leave out zeros. */
function priorityOf(value: unknown, problems: string[]): number {
  if (value === undefined || value === null) return 0
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 4) return value
  problems.push('its priority is not a number from 0 to 4, so 2 is used')
  return 2
}

const labelsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((label) => typeof label === 'string') : []

function dependenciesOf(value: unknown, problems: string[]): BeadDependency[] {
  if (value === undefined || value === null) return []
  const edges = Array.isArray(value) ? value.map(dependencyOf) : [null]
  const good = edges.filter((edge) => edge !== null)
  if (good.length < edges.length) problems.push(`${edges.length - good.length} of its dependencies cannot be read`)
  return good
}

/** An edge without a type has `bd`'s default type. */
function dependencyOf(value: unknown): BeadDependency | null {
  if (!isObject(value)) return null
  const { depends_on_id: dependsOn, type = 'blocks', metadata } = value
  if (typeof dependsOn !== 'string' || dependsOn === '' || typeof type !== 'string') return null
  return typeof metadata === 'string' && metadata !== '' ? { dependsOn, type, metadata } : { dependsOn, type }
}
