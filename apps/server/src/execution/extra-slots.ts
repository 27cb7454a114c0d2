import { holdsSlot } from '@beadloom/core/execution/execution.ts'
import type { PatientStore } from '../ports/store/patient.ts'

/**
 * Slots that an execution takes beside its own: one for each further sandbox that works for it at the same time. They are
 * given only while there are free ones, and the scheduler counts them as used. A session that waits for a person gives its
 * slot back here, too, and takes one again (`LentSlots`), so there can be less than none in use.
 */
export class ExtraSlots {
  readonly total: number
  readonly #store: Pick<PatientStore, 'liveExecutions'>
  readonly #freed: () => void
  #used = 0
  /** Slots for which sessions wait that have had one before. */
  #reserved = 0
  #waiting: (() => void)[] = []

  /** @param freed called when one is given back */
  constructor(total: number, store: Pick<PatientStore, 'liveExecutions'>, freed: () => void = () => {}) {
    this.total = total
    this.#store = store
    this.#freed = freed
  }

  get used(): number {
    return this.#used
  }

  get reserved(): number {
    return this.#reserved
  }

  /** How many of `wanted` there are now; each has to be given back. */
  take(wanted: number): number {
    const given = Math.max(0, Math.min(wanted, this.#free()))
    this.#used += given
    return given
  }

  /** One that is free, or will be: it is kept from everybody else, and nothing that is queued starts meanwhile. */
  reserve(): void {
    this.#reserved += 1
  }

  /** @returns whether it was there; then it is taken, and has to be given back */
  takeReserved(): boolean {
    if (this.#free() + this.#reserved < 1) return false
    this.#reserved -= 1
    this.#used += 1
    return true
  }

  /** It is not waited for any more. */
  unreserve(): void {
    this.#reserved -= 1
    this.#freed()
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
    return this.total - own - this.#used - this.#reserved
  }
}
