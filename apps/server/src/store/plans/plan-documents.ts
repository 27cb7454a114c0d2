import type { Database } from 'better-sqlite3'
import type { BeadId, ProjectId } from '@beadloom/core/ids.ts'
import type { Plan } from '@beadloom/core/plan/plan.ts'

/** Which version of which bead's plan. */
export type Version = { project: ProjectId; bead: BeadId; version: number }

/**
 * Versions that were asked for last. The scheduler asks for those of live executions in each round, the board for those of
 * ended ones; a plan has 20 kB as a rule, and half a megabyte at most.
 */
const MOST_KNOWN = 64

/**
 * The documents of plans, each parsed once and frozen: a version never changes, whatever its row says about an approval.
 * What can be another document under the same version is one whose project was removed and added again, so that has to
 * be said here, and one that was written in a transaction that was rolled back, so that none of these is kept.
 */
export class PlanDocuments {
  readonly #db: Database
  readonly #select
  readonly #known = new Map<string, { project: ProjectId; plan: Plan }>()

  constructor(db: Database) {
    this.#db = db
    this.#select = db.prepare<[string, string, number], { document: string }>(
      'SELECT document FROM plan WHERE project = ? AND bead = ? AND version = ?',
    )
  }

  /** Of a version that is stored. */
  plan({ project, bead, version }: Version): Plan {
    if (this.#db.inTransaction) return this.#read(project, bead, version)
    const key = JSON.stringify([project, bead, version])
    const plan = this.#known.get(key)?.plan ?? this.#read(project, bead, version)
    this.#known.delete(key)
    this.#known.set(key, { project, plan })
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= MOST_KNOWN) break
      this.#known.delete(oldest)
    }
    return plan
  }

  forget(project: ProjectId): void {
    for (const [key, known] of this.#known) if (known.project === project) this.#known.delete(key)
  }

  #read(project: ProjectId, bead: BeadId, version: number): Plan {
    const row = this.#select.get(project, bead, version)
    if (!row) throw new Error(`version ${version} of the plan of ${bead} is not stored`)
    return frozen(JSON.parse(row.document) as Plan)
  }
}

/** Everybody has the same one: who changes it by mistake is told. */
function frozen(plan: Plan): Plan {
  for (const subtask of plan.subtasks) {
    Object.freeze(subtask.dependsOn)
    Object.freeze(subtask.filesTouched)
    Object.freeze(subtask)
  }
  Object.freeze(plan.subtasks)
  return Object.freeze(plan)
}
