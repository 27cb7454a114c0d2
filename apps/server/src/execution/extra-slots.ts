import { holdsSlot } from '@beadloom/core/execution/execution.ts'
import type { PatientStore } from '../ports/store/patient.ts'

/**
 * Slots that an execution takes beside its own: one for each further sandbox that works for it at the same time. They are
 * given only while there are free ones, and the scheduler counts them as used.
 */
export class ExtraSlots {
  readonly #total: number
  readonly #store: Pick<PatientStore, 'liveExecutions'>
  readonly #freed: () => void
  #used = 0
  #waiting: (() => void)[] = []

  /** @param freed called when one is given back */
  constructor(total: number, store: Pick<PatientStore, 'liveExecutions'>, freed: () => void = () => {}) {
    this.#total = total
    this.#store = store
    this.#freed = freed
  }

  get used(): number {
    return this.#used
  }

  /** How many of `wanted` there are now; each has to be given back. */
  take(wanted: number): number {
    const given = Math.max(0, Math.min(wanted, this.#free()))
    this.#used += given
    return given
  }

  /** How many more are in use than there are. */
  get tooMany(): number {
    return Math.max(0, -this.#free())
  }

  /** For sandboxes that are there already, after a restart: also where nothing is free. Each has to be given back. */
  hold(count: number): void {
    this.#used += count
  }

  /** After the scheduler's next round, which comes first: what it leaves free may be taken. */
  afterRound(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  roundOver(): void {
    for (const resolve of this.#waiting.splice(0)) resolve()
  }

  giveBack(count: number): void {
    if (count === 0) return
    this.#used -= count
    this.#freed()
  }

  #free(): number {
    const own = this.#store.liveExecutions().filter(holdsSlot).length
    return this.#total - own - this.#used
  }
}
