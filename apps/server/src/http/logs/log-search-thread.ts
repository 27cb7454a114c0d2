import { Worker } from 'node:worker_threads'
import type { Clock } from '../../process/clock.ts'

export type SearchPattern = { source: string; flags: string }
/** A search begins at the beginning of `line`, and ends after so many hits. */
export type SearchStart = { pattern: SearchPattern; line: number; room: number }
/** What the thread is sent: a search, then its text in pieces that may be cut anywhere. */
export type SearchOrder = SearchStart | { text: Uint8Array }
/** Of one piece: flat triples of line, column, length; whether there are more than fit; the line that comes next. */
export type SearchHits = { hits: number[]; more: boolean; line: number }

/** Half a MiB takes some milliseconds; when it takes seconds, the pattern backtracks without end. */
const BATCH_LIMIT_MS = 3_000
/** A person who looks for something looks for something else next, and a thread takes a tenth of a second to be there. */
const IDLE_MS = 30_000
const MOST_IDLE = 2

/**
 * A thread that looks through text. A hostile regular expression can hang it, and then it is ended from outside, and
 * never the server.
 */
export class SearchThread {
  readonly #clock: Clock
  readonly #worker: Worker
  /** Who waits for the answers to the pieces that were sent, the oldest first. */
  #waiting: ((answer: SearchHits | 'failed') => void)[] = []
  #watch: AbortController | null = null
  #failed = false

  constructor(clock: Clock) {
    this.#clock = clock
    this.#worker = new Worker(new URL('./log-search-worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: 256 },
    })
    this.#worker.on('message', (answer: SearchHits) => {
      this.#waiting.shift()?.(answer)
      this.#watchNext()
    })
    this.#worker.on('error', () => this.#fail())
    this.#worker.on('exit', () => this.#fail())
  }

  /** It has answered everything that it was asked: another search may begin. */
  get isFree(): boolean {
    return this.#waiting.length === 0 && !this.#failed
  }

  begin(search: SearchStart): void {
    this.#worker.postMessage(search satisfies SearchOrder)
  }

  /** `failed` when it takes too long, runs out of memory, or was ended. */
  look(text: Uint8Array): Promise<SearchHits | 'failed'> {
    if (this.#failed) return Promise.resolve('failed')
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
      if (this.#waiting.length === 1) this.#watchNext()
      this.#worker.postMessage({ text } satisfies SearchOrder)
    })
  }

  /** While it has nothing to do, a server that goes down need not wait for it. */
  rest(): void {
    this.#worker.unref()
  }

  wake(): void {
    this.#worker.ref()
  }

  async end(): Promise<void> {
    this.#fail()
    await this.#worker.terminate()
  }

  /** Each piece has its own time, whatever waits behind it. */
  #watchNext(): void {
    this.#watch?.abort()
    this.#watch = null
    if (this.#waiting.length === 0) return
    const watch = new AbortController()
    this.#watch = watch
    void this.#clock.sleep(BATCH_LIMIT_MS, watch.signal).then(() => watch.signal.aborted || this.#fail())
  }

  #fail(): void {
    this.#failed = true
    this.#watch?.abort()
    for (const tell of this.#waiting.splice(0)) tell('failed')
  }
}

/** Threads that have nothing to do for the moment, and new ones where there are none. */
export class SearchThreads {
  readonly #clock: Clock
  /** With what ends their rest. */
  readonly #idle: { thread: SearchThread; taken: AbortController }[] = []

  constructor(clock: Clock) {
    this.#clock = clock
  }

  take(): SearchThread {
    const idle = this.#idle.pop()
    idle?.taken.abort()
    const thread = idle?.thread ?? new SearchThread(this.#clock)
    thread.wake()
    return thread
  }

  /** One that is still busy is ended: nobody knows when it will be done. */
  async giveBack(thread: SearchThread): Promise<void> {
    if (!thread.isFree || this.#idle.length >= MOST_IDLE) return thread.end()
    thread.rest()
    const idle = { thread, taken: new AbortController() }
    this.#idle.push(idle)
    void this.#clock.sleep(IDLE_MS, idle.taken.signal).then(() => {
      if (idle.taken.signal.aborted) return
      this.#idle.splice(this.#idle.indexOf(idle), 1)
      return thread.end()
    })
  }
}
