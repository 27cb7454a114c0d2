import { descriptionIn } from '@beadloom/core/bead/description-in.ts'
import { claimant, mergeTracked, withWaiting, type Ours } from '@beadloom/core/bead/merge-tracked.ts'
import type { BeadStatus } from '@beadloom/core/records/bead.ts'
import type { BeadId, ExecutionId, ProjectId } from '@beadloom/core/records/ids.ts'
import type { ExecutionState } from '@beadloom/core/records/execution.ts'
import type { Fingerprinted, TrackedBead } from '../../ports/store/beads.ts'
import { isDecision, type EditRows } from './bead-edits.ts'
import { INSERT_BEAD, toBeadRow, UPDATE_BEAD, type BeadRow } from './bead-rows.ts'
import type { Writing } from '../database/writer.ts'

/** Its part that a reading is compared with. */
export type Known = Pick<
  BeadRow,
  | 'id'
  | 'fingerprint'
  | 'status'
  | 'tracker_status'
  | 'decided'
  | 'local'
  | 'gone'
  | 'assignee'
  | 'claimed_by'
  | 'failed'
  | 'labelled'
>
export const KNOWN = `id, fingerprint, status, tracker_status, decided, local, gone, assignee, claimed_by, failed, labelled`

export type Live = { id: ExecutionId; bead: BeadId; state: ExecutionState }

export type BeadTaker = {
  insert: (row: BeadRow) => void
  /** Takes a bead as the tracker has it: `added`, `changed`, or null if nothing was written. */
  take: (project: ProjectId, old: Known | undefined, one: Fingerprinted, live: Live | undefined) => Taken | null
  /** Drops a bead that the tracker has no more, unless an execution of it lives. True when something was written. */
  drop: (project: ProjectId, old: Known, live: Live | undefined) => boolean
}
export type Taken = 'added' | 'changed'

/** Writes what `mergeTracked` decides about one bead of a reading. Each runs inside of a transaction. */
export function beadTaker(writing: Writing, edits: EditRows): BeadTaker {
  const { db, clock, event } = writing
  const { isUsed, oursIn } = questions(writing)
  const insert = db.prepare<[BeadRow]>(INSERT_BEAD)
  const update = db.prepare<[BeadRow]>(UPDATE_BEAD)
  const notTaken = db.prepare<[string, string]>(`UPDATE bead SET fingerprint = '' WHERE project = ? AND id = ?`)
  const setFormer = db.prepare<[BeadStatus, string]>(
    'UPDATE execution SET former_bead_status = ?, former_failed = 0 WHERE id = ?',
  )
  const remove = db.prepare<[string, string]>('DELETE FROM bead WHERE project = ? AND id = ?')
  const markGone = db.prepare<[string, string]>('UPDATE bead SET gone = 1 WHERE project = ? AND id = ?')
  const forgetOurs = db.prepare<[string, string]>(
    `DELETE FROM tracker_change WHERE project = ? AND bead = ? AND kind = 'status'`,
  )
  const describing = db.prepare<[string, string], Pick<BeadRow, 'description' | 'labels' | 'raw'>>(
    `SELECT description, labels, raw FROM bead JOIN tracker_change AS change
       ON change.project = bead.project AND change.bead = bead.id AND change.kind = 'describe'
     WHERE bead.project = ? AND bead.id = ?`,
  )
  const newestOf = db.prepare<[string, string], { id: ExecutionId }>(
    'SELECT id FROM execution WHERE project = ? AND bead = ? ORDER BY queued_at DESC LIMIT 1',
  )

  const tell = (execution: ExecutionId, type: string, data: object) =>
    event({ execution, session: null, type, data, line: null, at: clock.now() })

  /** A status of ours that is still queued for the tracker does not overwrite a person's. */
  const dropOurs = (old: Known, bead: TrackedBead) => {
    const dropped = forgetOurs.run(bead.project, bead.id).changes > 0
    if (!dropped || old.status === bead.status) return
    if (isDecision(old.status)) {
      const why = `it was set to "${bead.trackerStatus}" in the tracker, and that is kept`
      edits.statusRefused(bead.project, bead.id, { was: old.tracker_status, wanted: old.status }, why)
    }
    const execution = newestOf.get(bead.project, bead.id)?.id
    if (execution === undefined) return
    const text = `the bead was set to "${bead.trackerStatus}" in the tracker, so "${old.status}" was not written there`
    tell(execution, 'warning', { text })
  }

  /** Beadloom's own new description, if it waits to be written. What a person has edited here is `EditRows`' matter. */
  const withOurs = (row: BeadRow): BeadRow => {
    const ours = describing.get(row.project, row.id)
    if (!ours) return row
    const was = descriptionIn(ours.raw)
    const edited = edits.waiting(row.project, row.id)
    if (edited.some(({ field }) => was === null || field === 'description')) return row
    const waiting = {
      description: ours.description,
      labels: JSON.parse(ours.labels) as string[],
      was,
    }
    const kept = withWaiting({ description: row.description, labels: JSON.parse(row.labels) as string[] }, waiting)
    return kept === null ? row : { ...row, description: kept.description, labels: JSON.stringify(kept.labels) }
  }

  const merge = (project: ProjectId, old: Known, { bead, fingerprint }: Fingerprinted, live: Live | undefined) => {
    if (old.fingerprint === fingerprint && old.gone === 0 && old.local === 0) return null
    const merged = mergeTracked(storedOf(old), bead, oursIn(bead, live))
    if (merged === null) {
      if (old.fingerprint !== '') notTaken.run(project, old.id)
      return null
    }
    const { status, decided, failed, labelled, claimedBy, seen, overruled } = merged
    if (overruled) dropOurs(old, bead)
    // When the execution is cancelled, the bead returns to the status that a person has set meanwhile. The last seen
    // status stays the old one, so that theirs counts as a change, and wins, once the execution has ended.
    if (seen === 'later' && live) setFormer.run(bead.status, live.id)
    // Edits are compared with the tracker's own values: with ours among them, one that waits would count as written.
    const edited = edits.over(toBeadRow(project, bead, fingerprint))
    update.run({
      ...withOurs(edited),
      ...(seen === 'later' && { tracker_status: old.tracker_status, fingerprint: '' }),
      status,
      decided: decided ? 1 : 0,
      failed: failed ? 1 : 0,
      labelled: labelled ? 1 : 0,
      claimed_by: claimedBy,
    })
    if (live && status !== old.status) tell(live.id, 'bead', { from: old.status, to: status })
    return 'changed'
  }

  return {
    insert: (row) => insert.run(row),
    take: (project, old, one, live) => {
      if (old) return merge(project, old, one, live)
      insert.run({ ...toBeadRow(project, one.bead, one.fingerprint), claimed_by: claimant(one.bead) })
      return 'added'
    },
    drop: (project, old, live) => {
      if (live || old.local === 1 || old.gone === 1) return false
      if (isUsed(project, old.id)) markGone.run(project, old.id)
      else remove.run(project, old.id)
      return true
    },
  }
}

const storedOf = (row: Known) => ({
  status: row.status,
  trackerStatus: row.tracker_status,
  assignee: row.assignee,
  decided: row.decided === 1,
  claimedBy: row.claimed_by,
  failed: row.failed === 1,
  labelled: row.labelled === 1,
})

/** The database's answers about Beadloom's own part in a bead. */
function questions({ db }: Writing) {
  const used = db.prepare<[{ project: string; bead: string }], { id: string }>(
    `SELECT id FROM execution WHERE project = @project AND bead = @bead
     UNION ALL SELECT bead FROM plan WHERE project = @project AND bead = @bead LIMIT 1`,
  )
  const claimed = db.prepare<[string, string], { execution: string }>(
    'SELECT execution FROM tracker_claim WHERE project = ? AND bead = ? LIMIT 1',
  )
  const queuedStatus = db.prepare<[string, string], { seq: number }>(
    `SELECT seq FROM tracker_change WHERE project = ? AND bead = ? AND kind = 'status'`,
  )
  const hasStarted = db.prepare<[string, string], { id: string }>(
    `SELECT id FROM execution WHERE project = ? AND bead = ? AND kind = 'work' AND started_at IS NOT NULL LIMIT 1`,
  )
  const isThere = (rows: { get: (project: string, bead: string) => unknown }, { project, id }: TrackedBead) =>
    rows.get(project, id) !== undefined
  return {
    isUsed: (project: ProjectId, bead: BeadId) => used.get({ project, bead }) !== undefined,
    oursIn: (bead: TrackedBead, live: Live | undefined): Ours => {
      const execution = live?.state ?? null
      // Nothing else can be a claim of ours, and a sync may bring a hundred thousand changed beads.
      if (bead.trackerStatus !== 'in_progress') return { execution, claimed: false, unwritten: false }
      const unwritten = isThere(queuedStatus, bead) && isThere(hasStarted, bead)
      return { execution, claimed: isThere(claimed, bead), unwritten }
    },
  }
}
