import type { BeadStatus } from '@beadloom/core/records/bead.ts'
import type { BeadId, ExecutionId, ProjectId } from '@beadloom/core/records/ids.ts'
import type { ExecutionState } from '@beadloom/core/records/execution.ts'
import type { Fingerprinted, TrackedBead } from '../../ports/store/beads.ts'
import { StoreError } from '../../ports/store/errors.ts'
import { ACTOR, FAILED_LABEL } from '../../ports/tracker.ts'
import { isDecision, type EditRows } from './bead-edits.ts'
import { fingerprintOf } from '../../ports/bead-fingerprint.ts'
import { toBeadRow } from './bead-rows.ts'
import type { BeadRow } from './bead-rows.ts'
import type { Writing } from '../database/writer.ts'

type Known = Pick<
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
type Live = { id: ExecutionId; bead: BeadId; state: ExecutionState }
type Busy = ReadonlyMap<BeadId, Live>
type Counts = { added: number; changed: number; removed: number }

/** Above this a new snapshot costs a reader less than the single changes. */
const TOO_MANY_CHANGES = 5000

/** In progress, and assigned to somebody other than Beadloom. */
const isSomebodys = ({ trackerStatus, assignee = '' }: TrackedBead): boolean =>
  (trackerStatus === 'in_progress' || trackerStatus === 'hooked') && assignee !== '' && assignee !== ACTOR

/**
 * The person who has claimed it. If it was already assigned to somebody when Beadloom started it, that stays, and does
 * not count as a claim.
 */
function claimOn(old: Known, bead: TrackedBead): string | null {
  if (!isSomebodys(bead)) return null
  const theirs = old.assignee === null ? old.decided === 0 : old.assignee !== bead.assignee
  return theirs || old.tracker_status !== bead.trackerStatus ? (bead.assignee ?? null) : old.claimed_by
}

/**
 * Whether its label `failed` is Beadloom's. A label that the tracker no longer has is not, unless it is still to be
 * written; one that comes together with Beadloom's other marks is another server's.
 */
function labelledAfter(old: Known, bead: TrackedBead, failed: number): number {
  if (!bead.labels.includes(FAILED_LABEL)) return failed === 1 ? old.labelled : 0
  return old.failed === 0 && failed === 1 ? 1 : old.labelled
}

export type BeadReplacer = {
  insert: (row: BeadRow) => void
  /** Inside a transaction. Only rows whose content differs are written. */
  replace: (project: ProjectId, beads: readonly TrackedBead[]) => Counts
  /** Inside a transaction: takes a part of them. */
  take: (project: ProjectId, beads: readonly Fingerprinted[]) => Omit<Counts, 'removed'>
  /** Inside a transaction: drops these; returns those that stay for now. */
  drop: (project: ProjectId, ids: readonly string[]) => BeadId[]
}

export function beadReplacer(
  { db, changed, clock, event }: Writing,
  startAgain: (project: ProjectId) => void,
  edits: EditRows,
): BeadReplacer {
  const projectExists = db.prepare<[string], { id: string }>('SELECT id FROM project WHERE id = ?')
  const columns = `id, fingerprint, status, tracker_status, decided, local, gone, assignee, claimed_by, failed, labelled`
  const known = db.prepare<[string], Known>(`SELECT ${columns} FROM bead WHERE project = ?`)
  const knownOne = db.prepare<[string, string], Known>(`SELECT ${columns} FROM bead WHERE project = ? AND id = ?`)
  const notTaken = db.prepare<[string, string]>(`UPDATE bead SET fingerprint = '' WHERE project = ? AND id = ?`)
  const live = db.prepare<[string], Live>(
    'SELECT id, bead, state FROM execution WHERE project = ? AND ended_at IS NULL',
  )
  const isUsed = db.prepare<[{ project: string; bead: string }], { id: string }>(
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
  const setFormer = db.prepare<[BeadStatus, string]>(
    'UPDATE execution SET former_bead_status = ?, former_failed = 0 WHERE id = ?',
  )
  const remove = db.prepare<[string, string]>('DELETE FROM bead WHERE project = ? AND id = ?')
  const markGone = db.prepare<[string, string]>('UPDATE bead SET gone = 1 WHERE project = ? AND id = ?')
  const forgetOurs = db.prepare<[string, string]>(
    `DELETE FROM tracker_change WHERE project = ? AND bead = ? AND kind = 'status'`,
  )
  const newestOf = db.prepare<[string, string], { id: ExecutionId }>(
    'SELECT id FROM execution WHERE project = ? AND bead = ? ORDER BY queued_at DESC LIMIT 1',
  )
  const insert = db.prepare<[BeadRow]>(
    `INSERT INTO bead (project, id, title, description, status, tracker_status, priority, type, labels, dependencies,
       created_at, updated_at, defer_until, pinned, ephemeral, template, raw, fingerprint, decided, local, gone,
       base_branch, assignee, claimed_by, failed, labelled, reminds,
       filed_for)
     VALUES (@project, @id, @title, @description, @status, @tracker_status, @priority, @type, @labels, @dependencies,
       @created_at, @updated_at, @defer_until, @pinned, @ephemeral, @template, @raw, @fingerprint, @decided, @local,
       @gone, @base_branch, @assignee, @claimed_by, @failed, @labelled, @reminds,
       @filed_for)`,
  )
  const update = db.prepare<[BeadRow]>(
    `UPDATE bead SET title = @title, description = @description, status = @status, tracker_status = @tracker_status,
       priority = @priority, type = @type, labels = @labels, dependencies = @dependencies, created_at = @created_at,
       updated_at = @updated_at, defer_until = @defer_until, pinned = @pinned, ephemeral = @ephemeral,
       template = @template, raw = @raw, fingerprint = @fingerprint, decided = @decided, local = @local, gone = @gone,
       assignee = @assignee, claimed_by = @claimed_by, failed = @failed, labelled = @labelled
     WHERE project = @project AND id = @id`,
  )

  /** The status that counts: the tracker's if it changed or if nobody here has decided, else ours. */
  const statusOf = (old: Known, bead: TrackedBead, execution: Live | undefined): Partial<BeadRow> => {
    const trackerChanged = old.tracker_status !== bead.trackerStatus
    if (execution?.state === 'RUNNING') {
      const another = isSomebodys(bead) && old.assignee !== null && old.assignee !== bead.assignee
      if (!trackerChanged || (bead.status === 'in_progress' && !another))
        return { status: old.status, failed: 0, decided: 1 } // its own echo
      // When the execution is cancelled, the bead returns to the status that a person has set meanwhile. The last seen
      // status stays the old one, so that theirs counts as a change, and wins, once the execution has ended.
      setFormer.run(bead.status, execution.id)
      return { status: old.status, failed: 0, decided: 1, tracker_status: old.tracker_status, fingerprint: '' }
    }
    const failed = claimOn(old, bead) === null ? old.failed : 0 // the person who claimed it works on it
    if (trackerChanged && isOurClaim(old, bead, execution)) return { status: old.status, failed, decided: 1 }
    if (old.decided === 1 && !trackerChanged) return { status: old.status, failed, decided: 1 }
    if (trackerChanged) theirsWins(old, bead)
    return { status: bead.status, decided: 0 }
  }

  /**
   * Claimed for an execution that has not started, or that ended before the claim was noted. The bead's status here
   * counts, and the tracker gets it back.
   */
  const isOurClaim = ({ assignee }: Known, bead: TrackedBead, execution: Live | undefined): boolean => {
    if (bead.trackerStatus !== 'in_progress') return false
    const { project, id } = bead
    if (execution && bead.assignee === ACTOR) return true
    if (claimed.get(project, id)) return bead.assignee === ACTOR || bead.assignee === assignee
    return (
      bead.assignee === ACTOR &&
      queuedStatus.get(project, id) !== undefined &&
      hasStarted.get(project, id) !== undefined
    )
  }

  /** A status of ours that is still queued for the tracker does not overwrite a person's. */
  const theirsWins = (old: Known, bead: TrackedBead) => {
    const dropped = forgetOurs.run(bead.project, bead.id).changes > 0
    if (!dropped || old.status === bead.status) return
    if (isDecision(old.status)) {
      const why = `it was set to "${bead.trackerStatus}" in the tracker, and that is kept`
      edits.statusRefused(bead.project, bead.id, { was: old.tracker_status, wanted: old.status }, why)
    }
    const execution = newestOf.get(bead.project, bead.id)?.id
    if (execution === undefined) return
    const text = `the bead was set to "${bead.trackerStatus}" in the tracker, so "${old.status}" was not written there`
    event({ execution, session: null, type: 'warning', data: { text }, line: null, at: clock.now() })
  }

  /** True when something was written. */
  const merge = (
    project: ProjectId,
    old: Known,
    { bead, fingerprint }: Fingerprinted,
    execution: Live | undefined,
  ): boolean => {
    if (old.fingerprint === fingerprint && old.gone === 0 && old.local === 0) return false
    // Closed in the tracker during an execution: adopted once that has ended, so that its outcome does not undo the
    // close.
    if (execution?.state === 'RUNNING' && bead.status === 'done' && old.tracker_status !== bead.trackerStatus) {
      if (old.fingerprint !== '') notTaken.run(project, old.id)
      return false
    }
    const next = statusOf(old, bead, execution)
    const row = { ...toBeadRow(project, bead, fingerprint), claimed_by: claimOn(old, bead), ...next }
    update.run(edits.over({ ...row, labelled: labelledAfter(old, bead, row.failed) }))
    if (execution && next.status !== undefined && next.status !== old.status)
      event({
        execution: execution.id,
        session: null,
        type: 'bead',
        data: { from: old.status, to: next.status },
        line: null,
        at: clock.now(),
      })
    return true
  }

  /** True when something was written. */
  const vanish = (project: ProjectId, old: Known, execution: Live | undefined): boolean => {
    if (execution || old.local === 1 || old.gone === 1) return false
    if (isUsed.get({ project, bead: old.id })) markGone.run(project, old.id)
    else remove.run(project, old.id)
    return true
  }

  const exists = (project: ProjectId) => {
    if (!projectExists.get(project)) throw new StoreError('missing', `there is no project ${project}`)
  }

  /** True when something was written. */
  const takeOne = (project: ProjectId, old: Known | undefined, one: Fingerprinted, busy: Busy, counts: Counts) => {
    const { bead, fingerprint } = one
    if (!old) {
      insert.run({
        ...toBeadRow(project, bead, fingerprint),
        claimed_by: isSomebodys(bead) ? (bead.assignee ?? null) : null,
      })
      counts.added += 1
      return true
    }
    if (!merge(project, old, one, busy.get(bead.id))) return false
    counts.changed += 1
    return true
  }

  const busyIn = (project: ProjectId): Busy => new Map(live.all(project).map((row) => [row.bead, row]))

  const take = (project: ProjectId, beads: readonly Fingerprinted[]) => {
    exists(project)
    const busy = busyIn(project)
    const counts: Counts = { added: 0, changed: 0, removed: 0 }
    for (const one of beads)
      if (takeOne(project, knownOne.get(project, one.bead.id), one, busy, counts)) changed('bead', project, one.bead.id)
    const { added, changed: others } = counts
    return { added, changed: others }
  }

  const drop = (project: ProjectId, ids: readonly string[]): BeadId[] => {
    const busy = busyIn(project)
    return ids.flatMap((id) => {
      const old = knownOne.get(project, id)
      if (!old) return []
      const execution = busy.get(old.id)
      if (vanish(project, old, execution)) changed('bead', project, id)
      return execution ? [old.id] : []
    })
  }

  const replace = (project: ProjectId, beads: readonly TrackedBead[]): Counts => {
    exists(project)
    const olds = new Map(known.all(project).map((row) => [row.id, row]))
    const busy = busyIn(project)
    const seen = new Set<BeadId>()
    const written: BeadId[] = []
    const counts: Counts = { added: 0, changed: 0, removed: 0 }
    for (const bead of beads) {
      if (seen.has(bead.id)) continue // the first of two with one id counts; the parser has warned about it
      seen.add(bead.id)
      const one = { bead, fingerprint: fingerprintOf(bead) }
      if (takeOne(project, olds.get(bead.id), one, busy, counts)) written.push(bead.id)
    }
    for (const old of olds.values()) {
      if (seen.has(old.id) || !vanish(project, old, busy.get(old.id))) continue
      counts.removed += 1
      written.push(old.id)
    }
    if (written.length > TOO_MANY_CHANGES) startAgain(project)
    else for (const id of written) changed('bead', project, id)
    return counts
  }

  return { insert: (row) => insert.run(row), replace, take, drop }
}
