import type { ExtraUse } from '@beadloom/core/dispatch/dispatch-snapshot.ts'
import { holdsSlot, type Execution } from '@beadloom/core/records/execution.ts'
import type { ProjectId } from '@beadloom/core/records/ids.ts'
import type { SlotCapacity } from '../ports/slot-capacity.ts'
import type { PatientStore } from '../ports/store/patient.ts'

export type SlotsDeps = {
  store: Pick<PatientStore, 'liveExecutions'>
  capacity: Pick<SlotCapacity, 'of'>
  /** The engine that a project's executions start on, and the most slots that it may have at once. */
  place: (project: ProjectId) => { engine: string; limit: number | null }
  /** The engine that a running execution was started on. */
  engineOf: (execution: Pick<Execution, 'id' | 'project'>) => string
  /** Called when a slot is given back. */
  freed?: () => void
}

/** Slots of one project on one engine. */
export type ProjectSlots = {
  readonly engine: string
  readonly total: number
  /** The number of slots in use beyond those that exist, or beyond the project's share while others wait for theirs. */
  readonly tooMany: number
  /** Takes as many of `wanted` as are free; each has to be given back. */
  take: (wanted: number) => number
  /** For sandboxes that exist already, after a restart: also if no slot is free. Each has to be given back. */
  hold: (count: number) => void
  giveBack: (count: number) => void
  /** Takes a slot for proving the project's base, also if none is free; the result gives it back. */
  prove: () => () => void
  /** Reserves a slot that is free, or will be: nobody else gets it, and nothing that is queued starts meanwhile. */
  reserve: () => void
  /** @returns whether it was free; then it is taken, and has to be given back */
  takeReserved: () => boolean
  /** Gives up the reservation. */
  unreserve: () => void
  afterRound: () => Promise<void>
}

/**
 * Slots that executions take beside their own: one for each further sandbox that works for them at the same time. They
 * are given only while slots are free and the project's limit allows it, and the scheduler counts them as used. A
 * session that waits for a person gives its slot back here, too, and takes one again (`LentSlots`), so the number in
 * use can be below zero.
 */
export class ExtraSlots {
  readonly #deps: SlotsDeps
  readonly #uses = new Map<string, ExtraUse>()
  /** The slots that projects have beyond their share while others wait for theirs. */
  #over: ReadonlyMap<ProjectId, number> = new Map()
  #waiting: (() => void)[] = []

  constructor(deps: SlotsDeps) {
    this.#deps = deps
  }

  /** Over all projects. */
  get used(): number {
    return this.uses().reduce((sum, { used }) => sum + used, 0)
  }

  uses(): ExtraUse[] {
    return [...this.#uses.values()].filter(({ used, reserved }) => used !== 0 || reserved !== 0)
  }

  /** The slots of a project, on its present engine. */
  of(project: ProjectId): ProjectSlots {
    const { capacity, place, freed } = this.#deps
    const { engine } = place(project)
    const use = this.#useOf(project, engine)
    const free = () => this.#free(use)
    const over = () => this.#over.get(project) ?? 0
    return {
      engine,
      get total() {
        return capacity.of(engine)
      },
      get tooMany() {
        return Math.max(0, -free(), over())
      },
      take: (wanted) => {
        const given = Math.max(0, Math.min(wanted, free()))
        use.used += given
        return given
      },
      hold: (count) => void (use.used += count),
      prove: () => {
        use.used += 1
        use.proofs = (use.proofs ?? 0) + 1
        return () => {
          use.used -= 1
          use.proofs = (use.proofs ?? 0) - 1
          freed?.()
        }
      },
      giveBack: (count) => {
        if (count === 0) return
        use.used -= count
        freed?.()
      },
      reserve: () => void (use.reserved += 1),
      takeReserved: () => {
        if (this.#free(use, 'taken') < 1) return false
        use.reserved -= 1
        use.used += 1
        return true
      },
      unreserve: () => {
        use.reserved -= 1
        freed?.()
      },
      afterRound: () => this.afterRound(),
    }
  }

  /** Resolves after the scheduler's next round, which comes first: the slots that it leaves free may be taken. */
  afterRound(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  /** @param over slots that projects have beyond their share while others wait for theirs */
  roundOver(over: ReadonlyMap<ProjectId, number> = new Map()): void {
    this.#over = over
    for (const resolve of this.#waiting.splice(0)) resolve()
  }

  #useOf(project: ProjectId, engine: string): ExtraUse {
    const key = `${engine} ${project}`
    const use = this.#uses.get(key) ?? { project, engine, used: 0, reserved: 0 }
    this.#uses.set(key, use)
    return use
  }

  /**
   * Free slots of the engine within the project's limit; negative if more are in use. `taken`: reserved ones are free.
   */
  #free(mine: ExtraUse, which: 'taken' | 'spoken-for' = 'spoken-for'): number {
    const countOf = (use: ExtraUse) => use.used + (which === 'taken' ? 0 : use.reserved)
    const { store, capacity, place, engineOf } = this.#deps
    let used = countOf(mine)
    let ours = used
    for (const use of this.#uses.values()) {
      if (use.engine !== mine.engine || use.project === mine.project) continue
      used += countOf(use)
    }
    for (const execution of store.liveExecutions()) {
      if (!holdsSlot(execution) || engineOf(execution) !== mine.engine) continue
      used += 1
      if (execution.project === mine.project) ours += 1
    }
    const { limit } = place(mine.project)
    return Math.min(capacity.of(mine.engine) - used, (limit ?? Infinity) - ours)
  }
}
