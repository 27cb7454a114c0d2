import type { ExecutionId, ProjectId } from '../../records/ids.ts'
import { usesSlot, type PlacedExecution, type QueuedExecution } from '../dispatch-snapshot.ts'
import type { ProjectLines } from './project-lines.ts'

export type Execution = ({ state: 'running' } & PlacedExecution) | ({ state: 'queued' } & QueuedExecution)
type Find = (project: ProjectId) => ProjectLines | undefined

/** Running and queued executions, also those whose project is gone, and the slots that they have. */
export class LiveExecutions {
  readonly #executions = new Map<ExecutionId, Execution>()
  /** By engine, also for executions whose project has another engine by now. */
  readonly #used = new Map<string, number>()

  usedOn(engine: string): number {
    return this.#used.get(engine) ?? 0
  }

  set(execution: Execution, find: Find): void {
    const former = this.#executions.get(execution.id)
    const moved = former && (former.bead !== execution.bead || former.project !== execution.project)
    if (moved) this.drop(execution.id, find)
    this.#executions.set(execution.id, execution)
    this.#tell(moved ? undefined : former, execution, find(execution.project))
  }

  drop(id: ExecutionId, find: Find): void {
    const former = this.#executions.get(id)
    if (former === undefined) return
    this.#executions.delete(id)
    this.#tell(former, undefined, find(former.project))
  }

  /** Tells a new project about its executions. */
  tell(project: ProjectLines): void {
    for (const one of this.#executions.values()) {
      if (one.project !== project.project) continue
      if (one.state === 'running') project.setRunning(one, undefined)
      else project.setQueued(one, undefined)
    }
  }

  #tell(former: Execution | undefined, execution: Execution | undefined, project: ProjectLines | undefined): void {
    const runs = (one: Execution | undefined) => (one?.state === 'running' ? one : undefined)
    const waits = (one: Execution | undefined) => (one?.state === 'queued' ? one : undefined)
    if (runs(former) || runs(execution)) project?.setRunning(runs(execution), runs(former))
    if (waits(former) || waits(execution)) project?.setQueued(waits(execution), waits(former))
    this.#count(runs(former), -1)
    this.#count(runs(execution), 1)
  }

  #count(one: PlacedExecution | undefined, change: number): void {
    if (one !== undefined && usesSlot(one)) this.#used.set(one.engine, this.usedOn(one.engine) + change)
  }
}
