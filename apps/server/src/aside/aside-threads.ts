import type { Clock } from '../process/clock.ts'
import { AsideThread } from './aside-thread.ts'
import type { AsideLimits } from './limits.ts'

/** Readings that take turns: there are as many threads, whatever number of checks end at once. */
const MOST_AT_ONCE = 2
/** A thread takes 70 ms of a processor to start, and 16 MB for as long as it is there. */
const IDLE_MS = 30_000
const MOST_IDLE = 1

/** Threads aside. Each has one reading at a time: what ends a thread ends nobody else's. */
export class AsideThreads {
  readonly #file: URL
  readonly #clock: Clock
  readonly #limits: AsideLimits
  /** `taken` cancels the timer that would end an idle thread. */
  readonly #idle: { thread: AsideThread; taken: AbortController }[] = []
  readonly #taken = new Set<AsideThread>()
  readonly #turns: (() => void)[] = []
  #inTurn = 0

  constructor(file: URL, clock: Clock, limits: AsideLimits) {
    this.#file = file
    this.#clock = clock
    this.#limits = limits
  }

  /** For a reading that is over soon, when it is its turn. */
  async inTurn<T>(read: (thread: AsideThread) => Promise<T>): Promise<T> {
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
    const idle = this.#idle.pop()
    idle?.taken.abort()
    const thread = idle?.thread ?? new AsideThread(this.#file, this.#clock, this.#limits)
    thread.wake()
    thread.begin()
    this.#taken.add(thread)
    return thread
  }

  /** Ends a thread that is still busy: nobody knows when it will be done. */
  giveBack(thread: AsideThread): void {
    this.#taken.delete(thread)
    if (!thread.isFree || this.#idle.length >= MOST_IDLE) return void thread.end()
    thread.rest()
    const idle = { thread, taken: new AbortController() }
    this.#idle.push(idle)
    void this.#clock.sleep(IDLE_MS, idle.taken.signal).then(() => {
      if (idle.taken.signal.aborted) return
      this.#idle.splice(this.#idle.indexOf(idle), 1)
      return thread.end()
    })
  }

  /** Whoever still waits is told so. */
  async close(): Promise<void> {
    const idle = this.#idle.splice(0).map(({ thread, taken }) => {
      taken.abort()
      return thread
    })
    await Promise.all([...idle, ...this.#taken].map((thread) => thread.end()))
  }
}
