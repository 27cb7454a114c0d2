import type { ProjectId } from '@beadloom/core/records/ids.ts'
import type { Clock } from '../../process/clock.ts'
import { Turnstile } from '../../process/turnstile.ts'
import { within } from '../../process/within.ts'

/** Each look may start git and `bd`, so only a few are made side by side. */
const PLACES = 4
/** A look that takes longer waits for something outside, such as a remote, and gives its place to another. */
const SLOW_MS = 10_000

/** Looks at projects side by side, one at a time for each: a slow project delays no other for long. */
export class Looks {
  readonly #clock: Clock
  readonly #stop: AbortSignal
  readonly #running = new Set<ProjectId>()
  readonly #places = new Turnstile(PLACES)
  readonly #failure = Promise.withResolvers<never>()

  constructor(clock: Clock, stop: AbortSignal) {
    this.#clock = clock
    this.#stop = stop
    this.#failure.promise.catch(() => {}) // also while nobody waits for it
  }

  /** Rejects with the first error of a look. */
  get failed(): Promise<never> {
    return this.#failure.promise
  }

  /** Waits for a place, then begins a look, unless the project's last one still runs. Rejects as `failed` does. */
  async begin(project: ProjectId, look: () => Promise<void>): Promise<void> {
    if (this.#running.has(project)) return
    const leave = await Promise.race([this.#places.enter(this.#stop), this.failed])
    if (leave === null) return
    this.#running.add(project)
    void within(this.#clock, SLOW_MS, leave, look)
      .catch((error: unknown) => this.#failure.reject(error))
      .finally(() => {
        this.#running.delete(project)
        leave()
      })
  }
}
