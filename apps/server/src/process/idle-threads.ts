import type { Clock } from './clock.ts'

/** A thread takes a tenth of a second to start, and is often needed again soon. */
const IDLE_MS = 30_000

/** A thread that may be idle. */
type Rests = {
  /** Whether it has nothing to do and can still do something. */
  readonly isFree: boolean
  /** An idle thread does not keep a stopping server alive. */
  rest(): void
  wake(): void
  end(): Promise<void>
}

/** Threads that stay for a while to be taken again; starts another if none is idle. */
export class IdleThreads<T extends Rests> {
  readonly #clock: Clock
  readonly #most: number
  readonly #start: () => T
  /** `taken` cancels the timer that would end an idle thread. */
  readonly #idle: { thread: T; taken: AbortController }[] = []

  /** @param most idle ones */
  constructor(clock: Clock, most: number, start: () => T) {
    this.#clock = clock
    this.#most = most
    this.#start = start
  }

  take(): T {
    const idle = this.#idle.pop()
    idle?.taken.abort()
    const thread = idle?.thread ?? this.#start()
    thread.wake()
    return thread
  }

  /** Keeps an idle thread; ends one that is still busy, since nobody knows when it will be done. */
  async giveBack(thread: T): Promise<void> {
    if (!thread.isFree || this.#idle.length >= this.#most) return thread.end()
    thread.rest()
    const idle = { thread, taken: new AbortController() }
    this.#idle.push(idle)
    void this.#clock.sleep(IDLE_MS, idle.taken.signal).then(() => {
      if (idle.taken.signal.aborted) return
      this.#idle.splice(this.#idle.indexOf(idle), 1)
      return thread.end()
    })
  }

  /** Ends the idle ones. */
  async close(): Promise<void> {
    const idle = this.#idle.splice(0).map(({ thread, taken }) => {
      taken.abort()
      return thread
    })
    await Promise.all(idle.map((thread) => thread.end()))
  }
}
