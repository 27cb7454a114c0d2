import type { Database } from 'better-sqlite3'
import type { BeadId } from '@beadloom/core/records/ids.ts'
import type { BeadStore } from '../../ports/store/beads.ts'

/** Answers a tracker's reading about the stored beads. */
export function trackedBeads(db: Database): Pick<BeadStore, 'fingerprints' | 'unsettledBeads' | 'trackedIds'> {
  // A bead that is gone, or was only filed here, counts as new once the tracker has it.
  const print = db.prepare<[string, string], { fingerprint: string }>(
    'SELECT fingerprint FROM bead WHERE project = ? AND id = ? AND gone = 0 AND local = 0',
  )
  const unsettled = db.prepare<[string], { id: BeadId }>(
    // Without the hint, the planner would walk an index of all beads.
    `SELECT id FROM bead INDEXED BY bead_unsettled WHERE project = ? AND fingerprint = ''`,
  )
  const ids = db.prepare<[string, string, number], { id: BeadId }>(
    'SELECT id FROM bead WHERE project = ? AND id > ? AND gone = 0 AND local = 0 ORDER BY id LIMIT ?',
  )
  const idOf = ({ id }: { id: BeadId }) => id
  return {
    fingerprints: (project, beads) => beads.map((id) => print.get(project, id)?.fingerprint ?? null),
    unsettledBeads: (project) => unsettled.all(project).map(idOf),
    trackedIds: (project, after, limit) => ids.all(project, after, limit).map(idOf),
  }
}
