import type { Bead, BeadDependency, BeadStatus, ListedBead } from '@beadloom/core/records/bead.ts'
import type { BeadId, ProjectId } from '@beadloom/core/records/ids.ts'
import { isKnown } from '../odd-rows.ts'
import type { TrackedBead } from '../../ports/store/beads.ts'

export type BeadRow = {
  project: ProjectId
  id: BeadId
  title: string
  description: string
  status: BeadStatus
  tracker_status: string
  priority: number
  type: string
  labels: string
  dependencies: string
  created_at: number
  updated_at: number
  defer_until: number | null
  pinned: number
  ephemeral: number
  template: number
  raw: string | null
  fingerprint: string
  decided: number
  local: number
  gone: number
  base_branch: string | null
  assignee: string | null
  claimed_by: string | null
  failed: number
  labelled: number
  reminds: BeadId | null
  filed_for: BeadId | null
}

/** Columns that a reading of the tracker never changes, and those that it may. */
const fixed = ['project', 'id', 'base_branch', 'reminds', 'filed_for'] as const satisfies (keyof BeadRow)[]
const read = [
  'title',
  'description',
  'status',
  'tracker_status',
  'priority',
  'type',
  'labels',
  'dependencies',
  'created_at',
  'updated_at',
  'defer_until',
  'pinned',
  'ephemeral',
  'template',
  'raw',
  'fingerprint',
  'decided',
  'local',
  'gone',
  'assignee',
  'claimed_by',
  'failed',
  'labelled',
] as const satisfies Exclude<keyof BeadRow, (typeof fixed)[number]>[]

const all = [...fixed, ...read]
export const INSERT_BEAD = `INSERT INTO bead (${all.join(', ')}) VALUES (${all.map((name) => `@${name}`).join(', ')})`
export const UPDATE_BEAD = `UPDATE bead SET ${read.map((name) => `${name} = @${name}`).join(', ')}
  WHERE project = @project AND id = @id`

/** The status of a bead that is no longer in its tracker: `bd`'s own former word for that. */
const GONE_STATUS = 'tombstone'

/** The columns of a bead in lists: without its description and the tracker's own text. */
export const LISTED = `project, id, title, status, tracker_status, priority, type, labels, dependencies, created_at,
  updated_at, defer_until, pinned, ephemeral, template, gone, base_branch, assignee, claimed_by, failed, labelled, reminds,
  filed_for`

export type ListedRow = Omit<BeadRow, 'description' | 'raw' | 'fingerprint' | 'decided' | 'local'>

/** A hundred thousand beads share few different words, but SQLite returns each as a text of its own. */
const words = new Map<string, string>()
const MOST_WORDS = 1_000

function shared<T extends string>(word: T): T {
  const known = words.get(word)
  if (known !== undefined) return known as T
  if (words.size < MOST_WORDS) words.set(word, word)
  return word
}

const noLabels: string[] = []
const noDependencies: BeadDependency[] = []

export const toBead = (row: BeadRow): Bead => ({ ...toListed(row), description: row.description })

export function toListed(row: ListedRow): ListedBead {
  return {
    project: shared(row.project),
    id: row.id,
    title: row.title,
    ...(isKnown('bead.status', row.status)
      ? { status: shared(row.status) }
      : { status: 'blocked' as const, oddStatus: row.status as string }),
    trackerStatus: row.gone ? GONE_STATUS : shared(row.tracker_status),
    priority: row.priority,
    type: shared(row.type),
    labels: row.labels === '[]' ? noLabels : (JSON.parse(row.labels) as string[]),
    dependencies: row.dependencies === '[]' ? noDependencies : (JSON.parse(row.dependencies) as BeadDependency[]),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    deferUntil: row.defer_until,
    pinned: row.pinned === 1,
    ephemeral: row.ephemeral === 1,
    template: row.template === 1,
    ...(row.assignee === null ? {} : { assignee: shared(row.assignee) }),
    ...(row.claimed_by === null ? {} : { claimedBy: row.claimed_by }),
    ...(row.base_branch === null ? {} : { baseBranch: row.base_branch }),
    ...(row.failed === 1 ? { failed: true as const } : {}),
    ...(row.labelled === 1 ? { labelled: true as const } : {}),
    ...(row.reminds === null ? {} : { reminds: row.reminds }),
    ...(row.filed_for === null ? {} : { filedFor: row.filed_for }),
  }
}

/** The row of a bead in its tracker's state. `project` is the project that stores it, whatever the bead says. */
export function toBeadRow(project: ProjectId, bead: TrackedBead, fingerprint: string): BeadRow {
  return {
    project,
    id: bead.id,
    title: bead.title,
    description: bead.description,
    status: bead.status,
    tracker_status: bead.trackerStatus,
    priority: bead.priority,
    type: bead.type,
    labels: JSON.stringify(bead.labels),
    dependencies: JSON.stringify(bead.dependencies),
    created_at: bead.createdAt,
    updated_at: bead.updatedAt,
    defer_until: bead.deferUntil,
    pinned: bead.pinned ? 1 : 0,
    ephemeral: bead.ephemeral ? 1 : 0,
    template: bead.template ? 1 : 0,
    raw: bead.raw,
    fingerprint,
    decided: 0,
    local: 0,
    gone: 0,
    base_branch: bead.baseBranch ?? null,
    assignee: bead.assignee ?? '',
    claimed_by: null,
    failed: bead.failed ? 1 : 0,
    labelled: bead.failed ? 1 : 0, // in Beadloom's own form, so another server of ours labelled it
    reminds: bead.reminds ?? null,
    filed_for: bead.filedFor ?? null,
  }
}
