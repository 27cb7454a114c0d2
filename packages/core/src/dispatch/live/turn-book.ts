import type { ProjectId } from '../../records/ids.ts'
import type { Turn } from '../turns.ts'
import { KeyedHeap } from './keyed-heap.ts'

/** Entries that are kept before unneeded ones are looked for. */
const FEW = 64

/**
 * `lookAgain` and `countStart` for one engine, at a cost that depends only on the projects that come and go. An
 * inactive project is forgotten late: once the others have had as many turns, it returns with theirs anyway.
 */
export class TurnBook {
  readonly #turns = new Map<ProjectId, Turn>()
  readonly #active = new KeyedHeap<ProjectId, { id: ProjectId; turns: number }>(
    ({ id }) => id,
    (a, b) => a.turns - b.turns,
  )
  /** The fewest turns of an active project at the last look. */
  #base = Infinity
  #sweepAt = FEW

  /** @param began projects that became active since the last look; `ceased`: those that became inactive */
  look(began: readonly ProjectId[], ceased: readonly ProjectId[]): void {
    const base = this.#active.peek()?.turns ?? Infinity
    this.#base = base
    if (base === Infinity) this.#turns.clear()
    for (const id of ceased) {
      this.#turns.set(id, { turns: this.of(id), active: false })
      this.#active.delete(id)
    }
    for (const id of began) this.#set(id, base === Infinity ? 0 : Math.max(this.of(id), base))
    if (this.#turns.size > this.#sweepAt) this.#sweep()
  }

  of(id: ProjectId): number {
    return this.#turns.get(id)?.turns ?? 0
  }

  /** Counts a start of one of its executions. */
  count(id: ProjectId, weight: number): void {
    const former = this.#turns.get(id)
    if (former?.active) this.#set(id, former.turns + 1 / weight)
    else if (former) this.#turns.set(id, { turns: former.turns + 1 / weight, active: false })
  }

  /** The same turns as `lookAgain` gives. */
  all(): Map<ProjectId, Turn> {
    return new Map([...this.#turns].filter(([, turn]) => this.#counts(turn)))
  }

  #set(id: ProjectId, turns: number): void {
    this.#turns.set(id, { turns, active: true })
    this.#active.set({ id, turns })
  }

  #counts({ turns, active }: Turn): boolean {
    return active || turns > this.#base
  }

  #sweep(): void {
    for (const [id, turn] of this.#turns) if (!this.#counts(turn)) this.#turns.delete(id)
    this.#sweepAt = Math.max(FEW, 2 * this.#turns.size)
  }
}
