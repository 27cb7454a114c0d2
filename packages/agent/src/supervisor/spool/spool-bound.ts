import type { Clock } from '../../process/clock.ts'
import type { Stopped } from '../processes/stop-all.ts'
import type { SessionSpool } from './session-spool.ts'

/** Below this, a server that is away for a while goes unnoticed. Above it, the disk is not ours to fill. */
export const MOST_ON_DISK = 256 * 1024 * 1024
/**
 * If the processes cannot be stopped, the spool may grow to this many times the bound before the session has to end.
 */
export const HARD_BOUND_FACTOR = 4

export type BoundDeps = {
  spool: SessionSpool
  clock: Clock
  /** Stops every process of the session; null if that cannot be done. */
  stopAll: (signal: AbortSignal) => Promise<Stopped | null>
  /** Called when too much is on the disk and nothing can be done about it: the session has to end. */
  overflow: () => void
  changed: () => void
}

/**
 * Keeps a spool within its bound. A file has no back-pressure, and the beginning of a file that others write to cannot
 * be cut off. So at the bound every process of the session is stopped (SIGSTOP). When the server has stored everything,
 * the files are emptied and the session continues. Its clocks run on meanwhile: if a server is away for long while a
 * session prints hundreds of megabytes, time limits in the session can expire.
 */
export class SpoolBound {
  #deps: BoundDeps
  #bytes: number
  #over = new AbortController()
  #busy = false
  #held = false

  constructor(deps: BoundDeps, bytes: number) {
    this.#deps = deps
    this.#bytes = bytes
  }

  get held(): boolean {
    return this.#held
  }

  /** Call it after the spool has grown. */
  check(): void {
    if (this.#busy || this.#over.signal.aborted || this.#deps.spool.size() < this.#bytes) return
    this.#busy = true
    void this.#hold()
      .catch(() => this.#deps.overflow()) // somebody has removed the files: there is nothing to continue with
      .finally(() => (this.#busy = false))
  }

  /** Call it when the session is over. */
  close(): void {
    this.#over.abort()
  }

  async #hold(): Promise<void> {
    const { spool, clock } = this.#deps
    const startedAt = clock.monotonic()
    const stopped = await this.#deps.stopAll(this.#over.signal)
    if (this.#over.signal.aborted) return stopped?.resume()
    if (!stopped) {
      if (spool.size() >= this.#bytes * HARD_BOUND_FACTOR) this.#deps.overflow()
      return
    }
    this.#setHeld(true)
    spool.note({ note: 'held', bytes: spool.size() })
    do await this.#stored()
    while (!this.#over.signal.aborted && !spool.isStored)
    if (!this.#over.signal.aborted) {
      spool.cut()
      this.#setHeld(false)
      spool.note({ note: 'continued', afterMs: Math.round(clock.monotonic() - startedAt) })
    }
    stopped.resume()
  }

  #setHeld(held: boolean): void {
    this.#held = held
    this.#deps.spool.setQuiet(held)
    this.#deps.changed()
  }

  #stored(): Promise<void> {
    const { spool } = this.#deps
    return new Promise((resolve) => {
      const look = (): void => {
        if (!this.#over.signal.aborted && !spool.isStored) return
        unwatch()
        resolve()
      }
      const unwatch = spool.watch(look)
      this.#over.signal.addEventListener('abort', look, { once: true })
      look()
    })
  }
}
