import { isFailure, transitionBead } from '@beadloom/core/records/bead.ts'
import type { BeadEvent, BeadStatus, Refused } from '@beadloom/core/records/bead.ts'
import type { BeadId, ExecutionId, ProjectId } from '@beadloom/core/records/ids.ts'
import type { BeadStore } from '../../ports/store/beads.ts'
import { StoreError } from '../../ports/store/errors.ts'
import { FAILED_LABEL } from '@beadloom/core/bead/tracker-marks.ts'
import type { EditRows } from './bead-edits.ts'
import type { BeadCache } from './bead-cache.ts'
import { fingerprintOf } from '../../ports/bead-fingerprint.ts'
import { toBead, toBeadRow } from './bead-rows.ts'
import type { BeadRow } from './bead-rows.ts'
import { beadReplacer } from './replace-beads.ts'
import { trackedBeads } from './tracked-beads.ts'
import type { Writing } from '../database/writer.ts'

export function beadStore(
  writing: Writing,
  cache: BeadCache,
  startAgain: (project: ProjectId) => void,
  edits: EditRows,
): BeadStore {
  const { db, clock, write, changed, event: addEvent } = writing
  const select = db.prepare<[string, string], BeadRow>('SELECT * FROM bead WHERE project = ? AND id = ?')
  const setStatus = db.prepare<[BeadStatus, number, number, string, string, BeadStatus]>(
    'UPDATE bead SET status = ?, failed = ?, labelled = ?, decided = 1 WHERE project = ? AND id = ? AND status = ?',
  )
  // Triggers queue a changed status. An unchanged one may still need another assignee, or another label.
  const queueStatus = db.prepare<[string, string]>(
    `INSERT INTO tracker_change (project, bead, kind)
       SELECT project, id, 'status' FROM bead WHERE project = ? AND id = ? AND gone = 0
     ON CONFLICT DO UPDATE SET rev = rev + 1, due_at = 0`,
  )
  const remindersOf = db.prepare<[string, string], { id: BeadId }>(
    `SELECT id FROM bead WHERE project = ? AND reminds = ? AND status <> 'done' AND gone = 0`,
  )
  const newestExecution = db.prepare<[string, string], { id: ExecutionId }>(
    'SELECT id FROM execution WHERE project = ? AND bead = ? ORDER BY queued_at DESC LIMIT 1',
  )
  const forgetGiven = db.prepare<[string, string]>(
    'UPDATE execution SET given = NULL WHERE project = ? AND bead = ? AND given IS NOT NULL',
  )
  const replacer = beadReplacer(writing, startAgain, edits)

  /** A person's move belongs to no execution; every other move is an event of the bead's newest one. */
  const record = (project: ProjectId, id: BeadId, event: BeadEvent, from: BeadStatus, to: BeadStatus) => {
    // A person's decision holds even if the bead's texts change later.
    if (event.type === 'closed' || event.type === 'reopened') return void forgetGiven.run(project, id)
    const execution = newestExecution.get(project, id)?.id
    if (!execution) return
    addEvent({ execution, session: null, type: 'bead', data: { from, to }, line: null, at: clock.now() })
    changed('execution', project, execution)
  }

  const moveBead = (project: ProjectId, id: BeadId, event: BeadEvent): BeadStatus | Refused =>
    write(() => {
      const row = select.get(project, id)
      if (!row) return { refused: `there is no bead ${id} in project ${project}` }
      const { status } = toBead(row) // an unknown one counts as blocked
      const next = transitionBead(status, event)
      if (typeof next !== 'string') return next
      edits.statusDecided(project, id)
      const failed = isFailure(event) && row.claimed_by === null ? 1 : 0
      if (next === row.status) queueStatus.run(project, id)
      if (next === row.status && failed === row.failed) return next
      // A label that it already has is somebody else's, unless we added it before.
      const labels = failed === 1 && !toBead(row).labels.includes(FAILED_LABEL)
      setStatus.run(next, failed, labels ? 1 : row.labelled, project, id, row.status)
      if (next !== row.status) record(project, id, event, status, next)
      changed('bead', project, id)
      // A person who closes a bead has answered its reminders.
      if (event.type === 'closed')
        for (const reminder of remindersOf.all(project, id)) moveBead(project, reminder.id, event)
      return next
    })

  return {
    moveBead,

    replaceBeads: (project, beads) => write(() => replacer.replace(project, beads)),
    // Not lasting: a power cut costs another reading, and a lasting write follows the last of many parts.
    takeBeads: (project, beads) => write(() => replacer.take(project, beads), false),
    dropBeads: (project, ids) => write(() => replacer.drop(project, ids), false),
    ...trackedBeads(db),

    addBead: (bead) =>
      write(() => {
        if (select.get(bead.project, bead.id))
          throw new StoreError('refused', `project ${bead.project} already has a bead ${bead.id}`)
        const row = { ...toBeadRow(bead.project, bead, fingerprintOf(bead)), local: 1 }
        replacer.insert(row)
        changed('bead', bead.project, bead.id)
        return toBead(row)
      }),

    bead: (project, id) => {
      const row = select.get(project, id)
      return row ? toBead(row) : null
    },

    listedBead: (project, id) => cache.bead(project, id),

    beads: (project) => cache.beads(project),

    beadsById: (project) => cache.beadsById(project),
  }
}
