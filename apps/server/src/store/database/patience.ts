import { setImmediate as nextTurn } from 'node:timers/promises'
import { isPassing, StoreError } from '../../ports/store/errors.ts'
import type { StoreTrouble } from '../../ports/store.ts'
import type { Clock } from '../../process/clock.ts'

const FIRST_PAUSE_MS = 20
/** Nobody waits longer than this after a lock has gone. */
const LONGEST_PAUSE_MS = 500
/** After so many writes in a row the rest of the server has its turn. */
const WRITES_IN_A_ROW = 50

type Waiting = { work: () => unknown; resolve: (value: unknown) => void; reject: (error: unknown) => void }

/**
 * Decides which write comes when. A write that the database cannot take now waits here and is tried again, on timers of
 * its own, and later ones queue behind it: no matter who holds the lock, or for how long, writes keep their order and
 * none is lost. It does not know what is written.
 */
export class Patience {
  readonly #clock: Clock
  readonly #waiting: Waiting[] = []
  #trouble: StoreTrouble | null = null
  /** The write that is first in line is being tried. */
  #turn = false
  /** A checkpoint is under way. */
  #held = false
  #working = false
  #closed = false
  readonly #changes = new Set<symbol>()
  /** Aborted when no change is under way any more. */
  #calm = new AbortController()
  #wake = new AbortController()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get trouble(): StoreTrouble | null {
    return this.#trouble
  }

  /** Called before every write. Throws `busy` if it would have to wait. */
  admit(): void {
    if (this.#held) throw new StoreError('busy', 'the database is being tidied up: try again in a moment')
    if (this.#waiting.length > 0 && !this.#turn)
      throw new StoreError('busy', this.#trouble?.text ?? 'other writes wait for the database: try again in a moment')
  }

  wrote(): void {
    this.#trouble = null
  }

  /** Notes a write's error: a passing one is remembered with its time. */
  failed(error: unknown): void {
    if (!isPassing(error)) return
    const kind = error.kind as StoreTrouble['kind']
    const since = this.#trouble?.kind === kind ? this.#trouble.since : this.#clock.now()
    this.#trouble = { kind, since, text: error.message }
  }

  /** Tries `work` at once, or after those before it, until the database takes it. Rejects with its other errors. */
  async inTurn<T>(work: () => T): Promise<T> {
    if (!this.#held && this.#waiting.length === 0) {
      try {
        return work()
      } catch (error) {
        if (!isPassing(error)) throw error
      }
    }
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ work, resolve: resolve as Waiting['resolve'], reject })
      void this.#workThrough()
    })
  }

  /**
   * A caller that cannot wait in line begins to change things, and may do other work before writing. Returns the
   * function that ends this, which may be called more than once.
   */
  beginChange(): () => void {
    const change = Symbol()
    this.#changes.add(change)
    return () => {
      this.#changes.delete(change)
      if (this.#changes.size === 0) this.#calm.abort()
    }
  }

  /** Nobody writes until `release`. Changes that have begun may end first, for at most `ms`: they would be refused. */
  async hold(ms: number): Promise<void> {
    if (this.#changes.size > 0) {
      this.#calm = new AbortController()
      await this.#clock.sleep(ms, this.#calm.signal)
    }
    this.#held = true
  }

  release(): void {
    this.#held = false
    this.#wake.abort()
  }

  /** True once nothing waits and `probe` gets through; false after `ms`. */
  async writable(ms: number, probe: () => void): Promise<boolean> {
    const end = this.#clock.monotonic() + ms
    for (let pause = FIRST_PAUSE_MS; !this.#closed; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      if (!this.#held && this.#waiting.length === 0) {
        try {
          probe()
          return true
        } catch (error) {
          if (!isPassing(error)) throw error
        }
      }
      const left = end - this.#clock.monotonic()
      if (left <= 0) break
      await this.#clock.sleep(Math.min(pause, left), this.#wakeSignal())
    }
    return false
  }

  /** Waiting writes are never answered: a stop is like a kill. */
  close(): void {
    this.#closed = true
    this.#waiting.length = 0
    this.#wake.abort()
  }

  async #workThrough(): Promise<void> {
    if (this.#working) return
    this.#working = true
    let pause = FIRST_PAUSE_MS
    for (let inARow = 0; this.#waiting.length > 0;) {
      if (!this.#held && this.#tryFirst()) {
        pause = FIRST_PAUSE_MS
        if (++inARow % WRITES_IN_A_ROW === 0) await nextTurn()
        continue
      }
      await this.#clock.sleep(pause, this.#wakeSignal())
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS)
    }
    this.#working = false
  }

  /** False: it has to wait on. */
  #tryFirst(): boolean {
    const first = this.#waiting[0]
    if (!first) return false
    this.#turn = true
    try {
      const value = first.work()
      this.#waiting.shift()
      first.resolve(value)
    } catch (error) {
      if (isPassing(error)) return false
      this.#waiting.shift()
      first.reject(error)
    } finally {
      this.#turn = false
    }
    return true
  }

  #wakeSignal(): AbortSignal {
    if (this.#wake.signal.aborted && !this.#closed) this.#wake = new AbortController()
    return this.#wake.signal
  }
}
