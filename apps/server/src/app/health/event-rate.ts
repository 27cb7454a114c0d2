import type { ExecutionId } from '@beadloom/core/records/ids.ts'
import type { Clock } from '../../process/clock.ts'

const MINUTE_MS = 60_000
const SLICE_MS = 5_000
const MINUTES = 10
const SLICES = (MINUTES * MINUTE_MS) / SLICE_MS
/** The most executions whose last numbers are remembered; the oldest is forgotten first. */
const MOST_EXECUTIONS = 200

/** The number of events stored in each of the last ten minutes. */
export class EventRate {
  #clock: Pick<Clock, 'monotonic'>
  #counts = Array.from({ length: SLICES }, () => 0)
  /** The slice that is counted now, from the clock's zero. */
  #slice: number
  #last = new Map<ExecutionId, number>()

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock
    this.#slice = this.#now()
  }

  /** Notes an execution's highest event number; one call may report several events. */
  take(execution: ExecutionId, seq: number): void {
    const before = this.#last.get(execution) ?? seq - 1
    this.#last.delete(execution)
    this.#last.set(execution, seq)
    if (this.#last.size > MOST_EXECUTIONS) this.#last.delete(this.#last.keys().next().value!)
    this.#advance()
    const at = this.#slice % SLICES
    this.#counts[at] = (this.#counts[at] ?? 0) + Math.max(0, seq - before)
  }

  /** The oldest minute first; the last one ends now. */
  perMinute(): number[] {
    this.#advance()
    const slices = Array.from({ length: SLICES }, (_, back) => this.#counts[(this.#slice + 1 + back) % SLICES] ?? 0)
    const each = SLICES / MINUTES
    return Array.from({ length: MINUTES }, (_, minute) =>
      slices.slice(minute * each, (minute + 1) * each).reduce((sum, count) => sum + count, 0),
    )
  }

  #now(): number {
    return Math.floor(this.#clock.monotonic() / SLICE_MS)
  }

  #advance(): void {
    const now = this.#now()
    for (let past = Math.max(this.#slice + 1, now - SLICES + 1); past <= now; past++) this.#counts[past % SLICES] = 0
    this.#slice = now
  }
}
