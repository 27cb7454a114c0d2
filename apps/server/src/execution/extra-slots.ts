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
    const own = this.#store.liveExecutions().filter((one) => one.state === 'RUNNING' && one.pendingPush === null).length
    const given = Math.max(0, Math.min(wanted, this.#total - own - this.#used))
    this.#used += given
    return given
  }

  giveBack(count: number): void {
    if (count === 0) return
    this.#used -= count
    this.#freed()
  }
}
