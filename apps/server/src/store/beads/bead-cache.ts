import type { Database } from 'better-sqlite3'
import type { ListedBead } from '@beadloom/core/records/bead.ts'
import type { BeadId, ProjectId } from '@beadloom/core/records/ids.ts'
import { LISTED, toListed } from './bead-rows.ts'
import type { ListedRow } from './bead-rows.ts'

/** `byId`: ordered by id, unless beads were added since. */
type Known = { byId: Map<BeadId, ListedBead>; stale: Set<BeadId> }

/**
 * All beads of a project, in memory once for all readers. Reading 100,000 rows takes half a second, so this reads again
 * only the rows that were written. A marked row whose write is rolled back is read once too often.
 */
export class BeadCache {
  readonly #db: Database
  readonly #select
  readonly #selectAll
  readonly #projects = new Map<ProjectId, Known>()

  constructor(db: Database) {
    this.#db = db
    this.#select = db.prepare<[string, string], ListedRow>(`SELECT ${LISTED} FROM bead WHERE project = ? AND id = ?`)
    this.#selectAll = db.prepare<[string], ListedRow>(`SELECT ${LISTED} FROM bead WHERE project = ? ORDER BY id`)
  }

  /** Ordered by id; the caller owns the array, not the beads in it. */
  beads(project: ProjectId): ListedBead[] {
    // A transaction may be rolled back, so its writes are not cached.
    if (this.#db.inTransaction) return this.#read(project)
    const beads = [...this.#fresh(project).values()]
    if (beads.some(({ id }, at) => at > 0 && id < (beads[at - 1]?.id ?? ''))) beads.sort(byId)
    return beads
  }

  /** Unordered. It is changed in place, and `forget` may replace it: ask for it again each time. */
  beadsById(project: ProjectId): ReadonlyMap<BeadId, ListedBead> {
    if (!this.#db.inTransaction) return this.#fresh(project)
    return this.#projects.get(project)?.byId ?? mapOf(this.#read(project))
  }

  /** The same one as in `beads`. */
  bead(project: ProjectId, id: BeadId): ListedBead | null {
    const known = this.#db.inTransaction ? undefined : this.#projects.get(project)
    if (known === undefined) return this.#readOne(project, id)
    if (known.stale.has(id)) this.#refresh(project, id, known)
    return known.byId.get(id) ?? null
  }

  stale(project: ProjectId, id: BeadId): void {
    this.#projects.get(project)?.stale.add(id)
  }

  forget(project: ProjectId): void {
    this.#projects.delete(project)
  }

  /** Row by row: all rows at once take half as much memory again. */
  #read(project: ProjectId): ListedBead[] {
    const beads: ListedBead[] = []
    for (const row of this.#selectAll.iterate(project)) beads.push(toListed(row))
    return beads
  }

  #readOne(project: ProjectId, id: BeadId): ListedBead | null {
    const row = this.#select.get(project, id)
    return row ? toListed(row) : null
  }

  #fresh(project: ProjectId): Map<BeadId, ListedBead> {
    const known = this.#projects.get(project) ?? this.#load(project)
    for (const id of known.stale) this.#refresh(project, id, known)
    return known.byId
  }

  #load(project: ProjectId): Known {
    const known = { byId: mapOf(this.#read(project)), stale: new Set<BeadId>() }
    this.#projects.set(project, known)
    return known
  }

  #refresh(project: ProjectId, id: BeadId, known: Known): void {
    const bead = this.#readOne(project, id)
    known.stale.delete(id)
    if (bead === null) known.byId.delete(id)
    else known.byId.set(bead.id, bead) // a text of its own, shared by all who keep it
  }
}

const byId = (one: ListedBead, other: ListedBead): number => (one.id < other.id ? -1 : 1)

const mapOf = (beads: readonly ListedBead[]): Map<BeadId, ListedBead> => new Map(beads.map((bead) => [bead.id, bead]))
