import type { ExtraUse } from '@beadloom/core/dispatch/dispatch-snapshot.ts'
import { holdsSlot, type Execution } from '@beadloom/core/execution/execution.ts'
import type { ProjectId } from '@beadloom/core/ids.ts'
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
  /** How many more are in use than there are, or than are the project's share while others wait for theirs. */
  readonly tooMany: number
  /** How many of `wanted` there are now; each has to be given back. */
  take: (wanted: number) => number
  /** For sandboxes that are there already, after a restart: also where nothing is free. Each has to be given back. */
  hold: (count: number) => void
  giveBack: (count: number) => void
  /** One in which the project's base is proved, also where nothing is free; gives it back once called. */
  prove: () => () => void
  /** One that is free, or will be: it is kept from everybody else, and nothing that is queued starts meanwhile. */
  reserve: () => void
  /** @returns whether it was there; then it is taken, and has to be given back */
  takeReserved: () => boolean
  /** It is not waited for any more. */
  unreserve: () => void
  afterRound: () => Promise<void>
}

/**
 * Slots that executions take beside their own: one for each further sandbox that works for them at the same time. They are
 * given only while there are free ones and their project's limit allows it, and the scheduler counts them as used. A session
 * that waits for a person gives its slot back here, too, and takes one again (`LentSlots`), so there can be less than none in
 * use.
 */
export class ExtraSlots {
  readonly #deps: SlotsDeps
  readonly #uses = new Map<string, ExtraUse>()
  /** Slots that projects have beyond their share while others wait for theirs. */
  #over: ReadonlyMap<ProjectId, number> = new Map()
  #waiting: (() => void)[] = []

  constructor(deps: SlotsDeps) {
    this.#deps = deps
  }

  /** Of all projects. */
  get used(): number {
    return this.uses().reduce((sum, { used }) => sum + used, 0)
  }

  uses(): ExtraUse[] {
    return [...this.#uses.values()].filter(({ used, reserved }) => used !== 0 || reserved !== 0)
  }

  /** A project's, on the engine that it has now. */
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

  /** After the scheduler's next round, which comes first: what it leaves free may be taken. */
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

  /** Free slots of the engine within the project's limit. `taken`: reserved ones count as free. Negative where more are in use. */
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
