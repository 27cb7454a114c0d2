import { compareText } from '../../bead/ready.ts'
import type { BeadId, ExecutionId } from '../../records/ids.ts'
import { usesSlot, type PlacedExecution, type QueuedExecution } from '../dispatch-snapshot.ts'

/** Running and queued executions of one project, by their beads. */
export class ProjectExecutions {
  readonly #running = new Map<BeadId, PlacedExecution[]>()
  readonly #queued = new Map<BeadId, QueuedExecution[]>()
  /** Slots of running executions, by engine. */
  readonly #slots = new Map<string, number>()
  /** The number of executions that autopilot has queued. */
  ahead = 0

  runs(id: BeadId): boolean {
    return this.#running.has(id)
  }

  running(id: BeadId): PlacedExecution | undefined {
    return this.#running.get(id)?.at(-1)
  }

  /** If there are several, the one that was queued first. */
  queued(id: BeadId): QueuedExecution | undefined {
    return this.#queued.get(id)?.[0]
  }

  slotsOn(engine: string): number {
    return this.#slots.get(engine) ?? 0
  }

  queuedBeads(): Iterable<BeadId> {
    return this.#queued.keys()
  }

  beads(): BeadId[] {
    return [...this.#running.keys(), ...this.#queued.keys()]
  }

  setRunning(execution: PlacedExecution | undefined, former: PlacedExecution | undefined): void {
    if (former !== undefined) replace(this.#running, former.bead, former, undefined)
    if (execution !== undefined) replace(this.#running, execution.bead, undefined, execution)
    this.#count(former, -1)
    this.#count(execution, 1)
  }

  setQueued(execution: QueuedExecution | undefined, former: QueuedExecution | undefined): void {
    if (former !== undefined) replace(this.#queued, former.bead, former, undefined)
    if (execution !== undefined) {
      replace(this.#queued, execution.bead, undefined, execution)
      this.#queued.get(execution.bead)?.sort((a, b) => a.queuedAt - b.queuedAt || compareText(a.id, b.id))
    }
    this.ahead += Number(execution?.byAutopilot === true) - Number(former?.byAutopilot === true)
  }

  #count(one: PlacedExecution | undefined, change: number): void {
    if (one !== undefined && usesSlot(one)) this.#slots.set(one.engine, this.slotsOn(one.engine) + change)
  }
}

function replace<T extends { id: ExecutionId }>(
  map: Map<BeadId, T[]>,
  bead: BeadId,
  former: T | undefined,
  next: T | undefined,
): void {
  const list = (map.get(bead) ?? []).filter(({ id }) => id !== former?.id)
  if (next !== undefined) list.push(next)
  if (list.length === 0) map.delete(bead)
  else map.set(bead, list)
}
