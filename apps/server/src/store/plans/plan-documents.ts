import type { Database } from 'better-sqlite3'
import type { BeadId, ProjectId } from '@beadloom/core/records/ids.ts'
import type { Plan } from '@beadloom/core/records/plan.ts'
import { Recent } from '../../process/recent.ts'

/** A version of a bead's plan. */
export type Version = { project: ProjectId; bead: BeadId; version: number }

/**
 * The versions asked for last. The scheduler asks for those of live executions in each round, the board for those of
 * ended ones; a plan usually has 20 kB, and half a megabyte at most.
 */
const MOST_KNOWN = 64

/**
 * The documents of plans, each parsed once and frozen: a version's document never changes, even when the version is
 * approved. A project that is removed and added again counts its versions from 1, so its removal calls `forget`. A
 * document read in a transaction is not kept: it may be rolled back.
 */
export class PlanDocuments {
  readonly #db: Database
  readonly #select
  readonly #known = new Recent<{ project: ProjectId; plan: Plan }>(MOST_KNOWN)

  constructor(db: Database) {
    this.#db = db
    this.#select = db.prepare<[string, string, number], { document: string }>(
      'SELECT document FROM plan WHERE project = ? AND bead = ? AND version = ?',
    )
  }

  /** The plan of a stored version. */
  plan({ project, bead, version }: Version): Plan {
    if (this.#db.inTransaction) return this.#read(project, bead, version)
    const key = JSON.stringify([project, bead, version])
    const known = this.#known.get(key)
    if (known) return known.plan
    const plan = this.#read(project, bead, version)
    this.#known.set(key, { project, plan })
    return plan
  }

  forget(project: ProjectId): void {
    this.#known.forget((known) => known.project === project)
  }

  #read(project: ProjectId, bead: BeadId, version: number): Plan {
    const row = this.#select.get(project, bead, version)
    if (!row) throw new Error(`version ${version} of the plan of ${bead} is not stored`)
    return frozen(JSON.parse(row.document) as Plan)
  }
}

/** All readers share it, so a change by mistake has to throw. */
function frozen(plan: Plan): Plan {
  for (const subtask of plan.subtasks) {
    Object.freeze(subtask.dependsOn)
    Object.freeze(subtask.filesTouched)
    Object.freeze(subtask)
  }
  Object.freeze(plan.subtasks)
  return Object.freeze(plan)
}
