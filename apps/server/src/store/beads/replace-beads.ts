import type { BeadId, ProjectId } from '@beadloom/core/records/ids.ts'
import type { Fingerprinted, TrackedBead } from '../../ports/store/beads.ts'
import { StoreError } from '../../ports/store/errors.ts'
import { fingerprintOf } from '../../ports/bead-fingerprint.ts'
import type { EditRows } from './bead-edits.ts'
import type { BeadRow } from './bead-rows.ts'
import { beadTaker, KNOWN, type Known, type Live } from './take-bead.ts'
import type { Writing } from '../database/writer.ts'

type Counts = { added: number; changed: number; removed: number }

/** Above this a new snapshot costs a reader less than the single changes. */
const TOO_MANY_CHANGES = 5000

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
  writing: Writing,
  startAgain: (project: ProjectId) => void,
  edits: EditRows,
): BeadReplacer {
  const { db, changed } = writing
  const projectExists = db.prepare<[string], { id: string }>('SELECT id FROM project WHERE id = ?')
  const known = db.prepare<[string], Known>(`SELECT ${KNOWN} FROM bead WHERE project = ?`)
  const knownOne = db.prepare<[string, string], Known>(`SELECT ${KNOWN} FROM bead WHERE project = ? AND id = ?`)
  const live = db.prepare<[string], Live>(
    'SELECT id, bead, state FROM execution WHERE project = ? AND ended_at IS NULL',
  )
  const taker = beadTaker(writing, edits)

  const exists = (project: ProjectId) => {
    if (!projectExists.get(project)) throw new StoreError('missing', `there is no project ${project}`)
  }
  const busyIn = (project: ProjectId) => new Map(live.all(project).map((row) => [row.bead, row]))

  const take = (project: ProjectId, beads: readonly Fingerprinted[]) => {
    exists(project)
    const busy = busyIn(project)
    const counts = { added: 0, changed: 0 }
    for (const one of beads) {
      const { id } = one.bead
      const taken = taker.take(project, knownOne.get(project, id), one, busy.get(id))
      if (taken === null) continue
      counts[taken] += 1
      changed('bead', project, id)
    }
    return counts
  }

  const drop = (project: ProjectId, ids: readonly string[]): BeadId[] => {
    const busy = busyIn(project)
    return ids.flatMap((id) => {
      const old = knownOne.get(project, id)
      if (!old) return []
      const execution = busy.get(old.id)
      if (taker.drop(project, old, execution)) changed('bead', project, id)
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
      const taken = taker.take(project, olds.get(bead.id), one, busy.get(bead.id))
      if (taken === null) continue
      counts[taken] += 1
      written.push(bead.id)
    }
    for (const old of olds.values()) {
      if (seen.has(old.id) || !taker.drop(project, old, busy.get(old.id))) continue
      counts.removed += 1
      written.push(old.id)
    }
    if (written.length > TOO_MANY_CHANGES) startAgain(project)
    else for (const id of written) changed('bead', project, id)
    return counts
  }

  return { insert: taker.insert, replace, take, drop }
}
