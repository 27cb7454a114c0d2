import type { Clock } from '../process/clock.ts'
import { IdleThreads } from '../process/idle-threads.ts'
import { AsideThread } from './aside-thread.ts'
import type { AsideBounds } from './bounds.ts'

/** Readings at once, each on a thread of its own; further ones take turns, however many checks end together. */
const MOST_AT_ONCE = 2
/** Starting a thread takes 70 ms of a processor, and keeping it takes 16 MB. */
const MOST_IDLE = 1

/** Threads aside. Each has one reading at a time, so a text that ends its thread ends no other reading. */
export class AsideThreads {
  readonly #idle: IdleThreads<AsideThread>
  readonly #taken = new Set<AsideThread>()
  readonly #turns: (() => void)[] = []
  #inTurn = 0

  constructor(file: URL, clock: Clock, bounds: AsideBounds) {
    this.#idle = new IdleThreads(clock, MOST_IDLE, () => new AsideThread(file, clock, bounds))
  }

  /** Runs a short reading when its turn comes. */
  async inTurn<T>(read: (thread: AsideThread) => Promise<T>): Promise<T> {
    // No await when a turn is free: closing the threads right now then ends this one, too.
    if (this.#inTurn >= MOST_AT_ONCE) await new Promise<void>((resolve) => this.#turns.push(resolve))
    else this.#inTurn += 1
    let thread: AsideThread | null = null
    try {
      thread = this.take()
      return await read(thread)
    } finally {
      if (thread) this.giveBack(thread)
      const next = this.#turns.shift()
      if (next) next()
      else this.#inTurn -= 1
    }
  }

  /** Takes a thread at once, for a reading that lasts as long as a command prints. */
  take(): AsideThread {
    const thread = this.#idle.take()
    thread.begin()
    this.#taken.add(thread)
    return thread
  }

  giveBack(thread: AsideThread): void {
    this.#taken.delete(thread)
    void this.#idle.giveBack(thread)
  }

  /** Ends all threads; readings under way fail with `ended`. */
  async close(): Promise<void> {
    await Promise.all([this.#idle.close(), ...[...this.#taken].map((thread) => thread.end())])
  }
}
