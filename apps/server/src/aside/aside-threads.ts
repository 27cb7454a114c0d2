import type { Clock } from '../process/clock.ts'
import { IdleThreads } from '../process/idle-threads.ts'
import { AsideThread } from './aside-thread.ts'
import type { AsideLimits } from './limits.ts'

/** Readings that take turns: there are as many threads, whatever number of checks end at once. */
const MOST_AT_ONCE = 2
/** A thread takes 70 ms of a processor to start, and 16 MB for as long as it is there. */
const MOST_IDLE = 1

/** Threads aside. Each has one reading at a time: what ends a thread ends nobody else's. */
export class AsideThreads {
  readonly #idle: IdleThreads<AsideThread>
  readonly #taken = new Set<AsideThread>()
  readonly #turns: (() => void)[] = []
  #inTurn = 0

  constructor(file: URL, clock: Clock, limits: AsideLimits) {
    this.#idle = new IdleThreads(clock, MOST_IDLE, () => new AsideThread(file, clock, limits))
  }

  /** For a reading that is over soon, when it is its turn. */
  async inTurn<T>(read: (thread: AsideThread) => Promise<T>): Promise<T> {
    // Without an await where it is free: whoever closes the threads now ends this one, too.
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

  /** At once, for a reading that goes on for as long as a command prints. */
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

  /** Whoever still waits is told so. */
  async close(): Promise<void> {
    await Promise.all([this.#idle.close(), ...[...this.#taken].map((thread) => thread.end())])
  }
}
