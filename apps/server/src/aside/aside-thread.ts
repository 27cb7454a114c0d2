import { Worker } from 'node:worker_threads'
import { ReadingStopped } from '../ports/aside.ts'
import type { Clock } from '../process/clock.ts'
import type { AsideBounds } from './bounds.ts'
import type { Answer, Order, Told } from './orders.ts'

/** Why there is no answer: the reading took too much `work` or `memory`, or the owner of the thread has `ended` it. */
export type Failed = { failed: 'work' | 'memory' | 'ended' }

export const hasFailed = (answer: Answer | Failed): answer is Failed => answer !== null && 'failed' in answer

/**
 * Passes for a reading that took too much work; throws for any other without an answer. `reading`: "a change was read".
 */
export function orStopped(answer: Answer | Failed, reading: string): void {
  if (answer === null || !hasFailed(answer) || answer.failed === 'ended')
    throw new ReadingStopped(`the server stopped while ${reading}`)
}

/** A thread that cannot report its use for this long is stuck in a single step, and is ended. */
const SILENT_MS = 30_000
/** The shortest time between two looks at a thread's processor time. */
const LOOK_MS = 20
const MOST_HEAP_MB = 256

/**
 * A thread that reads strangers' text. Text that is handed over adds to its allowance of processor time, and work takes
 * from it. A thread with none left is ended. Only its own processor time counts, not waiting for a busy processor.
 */
export class AsideThread {
  readonly #clock: Clock
  readonly #bounds: AsideBounds
  readonly #worker: Worker
  readonly #ready: Promise<void>
  /** Waiting for answers, oldest first. */
  #waiting: { resolve: (answer: Answer | Failed) => void; reject: (error: Error) => void }[] = []
  #over: Failed | Error | null = null
  #watch: AbortController | null = null
  #allowance = 0
  /** Processor time used at the last look, in milliseconds; null: the reading has just begun. */
  #usedMs: number | null = null

  constructor(file: URL, clock: Clock, bounds: AsideBounds) {
    this.#clock = clock
    this.#bounds = bounds
    this.#worker = new Worker(file, { resourceLimits: { maxOldGenerationSizeMb: MOST_HEAP_MB } })
    let ready = () => {}
    this.#ready = new Promise((resolve) => (ready = resolve))
    this.#worker.on('message', (told: Told) => {
      if (told === 'ready') return ready()
      this.#waiting.shift()?.resolve(told.answer)
      if (this.#waiting.length === 0) this.#watch?.abort()
    })
    this.#worker.on('error', (error: NodeJS.ErrnoException) =>
      this.#fail(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? { failed: 'memory' } : error),
    )
    this.#worker.on('exit', () => {
      this.#fail({ failed: 'ended' })
      ready()
    })
  }

  /** Whether everything is answered and another reading may begin. */
  get isFree(): boolean {
    return this.#waiting.length === 0 && this.#over === null
  }

  /** Begins another reading, with a fresh allowance. */
  begin(): void {
    this.#allowance = this.#bounds.floorMs
    this.#usedMs = null
  }

  /**
   * Rejects when the reading threw, or the thread could not be started.
   *
   * @param bytes length of the text that comes with the order
   * @param most upper limit of the allowance, in milliseconds
   */
  ask(order: Order, bytes: number, most = Infinity): Promise<Answer | Failed> {
    if (this.#over instanceof Error) return Promise.reject(this.#over)
    if (this.#over) return Promise.resolve(this.#over)
    this.#allowance = Math.min(most, this.#allowance + (bytes / 1024 ** 2) * this.#bounds.msPerMiB)
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject })
      this.#worker.postMessage(order)
      if (this.#watch === null) void this.#follow().catch((error: Error) => this.#fail(error))
    })
  }

  /** An idle thread does not keep a stopping server alive. */
  rest(): void {
    this.#worker.unref()
  }

  wake(): void {
    this.#worker.ref()
  }

  async end(why: Failed = { failed: 'ended' }): Promise<void> {
    this.#fail(why)
    await this.#worker.terminate()
  }

  /** Watches the thread's processor time while it has something to do. */
  async #follow(): Promise<void> {
    this.#watch = new AbortController()
    await this.#ready
    while (this.#waiting.length > 0) {
      await this.#look()
      if (this.#waiting.length === 0) break
      // A fresh controller: an answer that came meanwhile aborted the wait of its own reading, not the next one's.
      const watch = new AbortController()
      this.#watch = watch
      if (this.#allowance <= 0) await this.end({ failed: 'work' })
      else await this.#clock.sleep(Math.max(LOOK_MS, this.#allowance), watch.signal)
    }
    this.#watch = null
  }

  async #look(): Promise<void> {
    const looked = new AbortController()
    const silent = this.#clock.sleep(SILENT_MS, looked.signal).then(() => null)
    const used = await Promise.race([this.#worker.cpuUsage().catch(() => null), silent])
    looked.abort()
    if (this.#over !== null) return
    const usedMs = used === null ? Infinity : (used.user + used.system) / 1000
    this.#allowance -= usedMs - (this.#usedMs ?? Math.min(usedMs, Number.MAX_VALUE))
    this.#usedMs = usedMs
  }

  #fail(why: Failed | Error): void {
    this.#over ??= why
    const told = this.#over
    this.#watch?.abort()
    for (const { resolve, reject } of this.#waiting.splice(0))
      if (told instanceof Error) reject(told)
      else resolve(told)
  }
}
