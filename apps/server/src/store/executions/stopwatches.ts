import type { Database } from 'better-sqlite3'
import type { Clock } from '../../process/clock.ts'

const MOST_OVER = 100

type Open = { id: string; at: number; elapsed: number }

/**
 * The durations of executions and sessions, in milliseconds of the clock that does not jump. If an earlier server
 * started them, only the wall clock knows the time until now; it is never less than the noted time.
 */
export class Stopwatches {
  readonly #clock: Clock
  readonly #startedAt = new Map<string, number>()
  /** Kept for a while: an end that could not be stored is stored later. */
  readonly #over = new Set<string>()

  constructor(db: Database, clock: Clock) {
    this.#clock = clock
    const open = db.prepare<[], Open>(
      `SELECT id, started_at AS at, elapsed_ms AS elapsed FROM execution
        WHERE started_at IS NOT NULL AND ended_at IS NULL
       UNION ALL SELECT id, started_at, 0 FROM session WHERE ended_at IS NULL`,
    )
    const [now, wall] = [clock.monotonic(), clock.now()]
    for (const { id, at, elapsed } of open.all()) this.#startedAt.set(id, now - Math.max(wall - at, elapsed))
  }

  start(id: string): void {
    if (this.#over.size > MOST_OVER) for (const one of [...this.#over].slice(0, MOST_OVER / 2)) this.#forget(one)
    this.#startedAt.set(id, this.#clock.monotonic())
  }

  /** Null if it never started. */
  end(id: string): number | null {
    const startedAt = this.#startedAt.get(id)
    if (startedAt === undefined) return null
    this.#over.add(id)
    return Math.round(this.#clock.monotonic() - startedAt)
  }

  #forget(id: string): void {
    this.#over.delete(id)
    this.#startedAt.delete(id)
  }
}
