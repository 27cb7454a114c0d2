import { beadTypes } from '@beadloom/core/api/beads/bead-requests.ts'
import type { Bead } from '@beadloom/core/records/bead.ts'
import { descriptionFor, encode, MAX_LINE_BYTES } from '@beadloom/core/bead/tracker-line.ts'
import { titleFor } from '../../ports/bead-words.ts'
import { ACTOR } from '@beadloom/core/bead/tracker-marks.ts'

/** The keys of a line, in the order in which `bd` writes them. */
export const KEYS: readonly string[] = [
  'id',
  'title',
  'description',
  'design',
  'acceptance_criteria',
  'notes',
  'spec_id',
  'status',
  'priority',
  'issue_type',
  'assignee',
  'owner',
  'estimated_minutes',
  'created_at',
  'created_by',
  'updated_at',
  'started_at',
  'closed_at',
  'close_reason',
  'closed_by_session',
  'due_at',
  'defer_until',
  'external_ref',
  'source_system',
  'metadata',
  'compaction_level',
  'compacted_at',
  'compacted_at_commit',
  'original_size',
  'labels',
  'dependencies',
  'comments',
]

/** Whether a change would make a line too long. A line that is too long already may still be repaired. */
export const isTooLong = (line: string, before: string): boolean =>
  Buffer.byteLength(line) >= MAX_LINE_BYTES && Buffer.byteLength(before) < MAX_LINE_BYTES

/** Any other type makes some readers refuse the whole file. */
const commonTypes: ReadonlySet<string> = new Set(beadTypes)

export const typeFor = (type: string): string => (commonTypes.has(type) ? type : 'task')

/** The line of a bead created here. */
export function lineOf(bead: Bead): string {
  const at = new Date(bead.createdAt).toISOString()
  const dependencies = bead.dependencies.map(({ dependsOn, type, metadata }) => ({
    issue_id: bead.id,
    depends_on_id: dependsOn,
    type,
    created_at: at,
    created_by: ACTOR,
    ...(metadata === undefined ? {} : { metadata }),
  }))
  return encode({
    id: bead.id,
    title: titleFor(bead.title),
    ...(bead.description === '' ? {} : { description: descriptionFor(bead.description) }),
    status: 'open',
    priority: bead.priority,
    issue_type: typeFor(bead.type),
    created_at: at,
    created_by: ACTOR,
    updated_at: new Date(Math.max(bead.updatedAt, bead.createdAt)).toISOString(),
    ...(bead.deferUntil === null ? {} : { defer_until: new Date(bead.deferUntil).toISOString() }),
    ...(bead.labels.length === 0 ? {} : { labels: bead.labels }),
    ...(dependencies.length === 0 ? {} : { dependencies }),
  })
}
