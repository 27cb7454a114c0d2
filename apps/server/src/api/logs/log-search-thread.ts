import { Worker } from 'node:worker_threads'
import type { Clock } from '../../process/clock.ts'
import { workerFile } from '../../process/own-files.ts'

export type SearchPattern = { source: string; flags: string }
/** A search starts at the beginning of `line` and ends after `room` hits. */
export type SearchStart = { pattern: SearchPattern; line: number; room: number }
/** Messages to the thread: a search, then its text in pieces that may be cut anywhere. */
export type SearchOrder = SearchStart | { text: Uint8Array }
/** The answer for one piece: flat triples of line, column, length; whether there are more than fit; the next line. */
export type SearchHits = { hits: number[]; more: boolean; line: number }

/** Half a MiB takes milliseconds; if it takes seconds, the pattern backtracks endlessly. */
const BATCH_LIMIT_MS = 3_000

/**
 * A thread that searches text. A hostile regular expression can hang it; then only the thread ends, never the server.
 */
export class SearchThread {
  readonly #clock: Clock
  readonly #worker: Worker
  /** The callers that wait for answers to the pieces sent, oldest first. */
  #waiting: ((answer: SearchHits | 'failed') => void)[] = []
  #watch: AbortController | null = null
  #failed = false

  constructor(clock: Clock) {
    this.#clock = clock
    this.#worker = new Worker(workerFile('api/logs/log-search-worker.ts'), {
      resourceLimits: { maxOldGenerationSizeMb: 256 },
    })
    this.#worker.on('message', (answer: SearchHits) => {
      this.#waiting.shift()?.(answer)
      this.#watchNext()
    })
    this.#worker.on('error', () => this.#fail())
    this.#worker.on('exit', () => this.#fail())
  }

  /** Whether everything is answered, so that another search may begin. */
  get isFree(): boolean {
    return this.#waiting.length === 0 && !this.#failed
  }

  begin(search: SearchStart): void {
    this.#worker.postMessage(search satisfies SearchOrder)
  }

  /** `failed` if it takes too long, runs out of memory, or was ended. */
  look(text: Uint8Array): Promise<SearchHits | 'failed'> {
    if (this.#failed) return Promise.resolve('failed')
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
      if (this.#waiting.length === 1) this.#watchNext()
      this.#worker.postMessage({ text } satisfies SearchOrder)
    })
  }

  /** Keeps an idle thread from keeping a stopping server alive. */
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

  /** Each piece has its own time limit, whatever waits behind it. */
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
