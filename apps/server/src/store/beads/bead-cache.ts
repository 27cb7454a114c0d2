import type { Database } from 'better-sqlite3'
import type { Bead } from '@beadloom/core/bead/bead.ts'
import type { BeadId, ProjectId } from '@beadloom/core/ids.ts'
import { toBead } from './bead-rows.ts'
import type { BeadRow } from './bead-rows.ts'

type Known = { byId: Map<BeadId, Bead>; list: Bead[]; stale: Set<BeadId> }

/**
 * All beads of a project, which the scheduler asks for after every change. Reading 100,000 rows takes 0.7 s, so this
 * reads again only the rows that were written. A row that is marked and then rolled back is read once more than needed.
 */
export class BeadCache {
  readonly #db: Database
  readonly #select
  readonly #selectAll
  readonly #projects = new Map<ProjectId, Known>()

  constructor(db: Database) {
    this.#db = db
    this.#select = db.prepare<[string, string], BeadRow>('SELECT * FROM bead WHERE project = ? AND id = ?')
    this.#selectAll = db.prepare<[string], BeadRow>('SELECT * FROM bead WHERE project = ? ORDER BY id')
  }

  /** Ordered by id; the caller owns the array, not the beads in it. */
  beads(project: ProjectId): Bead[] {
    // A transaction may be rolled back, so what it has written is not cached.
    if (this.#db.inTransaction) return this.#selectAll.all(project).map(toBead)
    const known = this.#projects.get(project) ?? this.#load(project)
    if (known.stale.size > 0) this.#refresh(project, known)
    return known.list.slice()
  }

  stale(project: ProjectId, id: BeadId): void {
    this.#projects.get(project)?.stale.add(id)
  }

  forget(project: ProjectId): void {
    this.#projects.delete(project)
  }

  #load(project: ProjectId): Known {
    const list = this.#selectAll.all(project).map(toBead)
    const known = { byId: new Map(list.map((bead) => [bead.id, bead])), list, stale: new Set<BeadId>() }
    this.#projects.set(project, known)
    return known
  }

  #refresh(project: ProjectId, known: Known): void {
    let added = false
    for (const id of known.stale) {
      const row = this.#select.get(project, id)
      added ||= row !== undefined && !known.byId.has(id)
      if (row) known.byId.set(id, toBead(row))
      else known.byId.delete(id)
    }
    known.stale.clear()
    known.list = [...known.byId.values()]
    if (added) known.list.sort((one, other) => (one.id < other.id ? -1 : 1))
  }
}
