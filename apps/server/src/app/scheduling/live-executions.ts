import type { Execution } from '@beadloom/core/records/execution.ts'
import type { BeadId, ExecutionId, ProjectId } from '@beadloom/core/records/ids.ts'

/** Executions that have not ended, and the beads that have some. */
export class LiveExecutions {
  readonly #byId = new Map<ExecutionId, Execution>()
  /** The number of live executions of each bead. */
  readonly #counts = new Map<string, number>()

  get(id: ExecutionId): Execution | null {
    return this.#byId.get(id) ?? null
  }

  has(project: ProjectId, bead: BeadId): boolean {
    return this.#counts.has(keyOf({ project, bead }))
  }

  all(): Execution[] {
    return [...this.#byId.values()]
  }

  /** Null: it has ended, or is gone. */
  set(id: ExecutionId, execution: Execution | null): void {
    const former = this.#byId.get(id)
    if (former) this.#count(former, -1)
    if (execution === null) return void this.#byId.delete(id)
    this.#byId.set(id, execution)
    this.#count(execution, 1)
  }

  clear(): void {
    this.#byId.clear()
    this.#counts.clear()
  }

  #count(execution: Execution, by: 1 | -1): void {
    const key = keyOf(execution)
    const count = (this.#counts.get(key) ?? 0) + by
    if (count > 0) this.#counts.set(key, count)
    else this.#counts.delete(key)
  }
}

const keyOf = ({ project, bead }: Pick<Execution, 'project' | 'bead'>): string => `${project} ${bead}`
