import type { Facts, Known, Picture, Wish } from './draw.ts'
import type { Asked, Drawn } from './drawing-worker.ts'

/** A worker idle for this long is ended. */
const IDLE_MS = 30_000

/** The parts of a worker that we use, so that a test can replace it. */
export type WorkerLike = Pick<Worker, 'postMessage' | 'terminate' | 'onmessage' | 'onerror'>

/** Runs something after a time in milliseconds; the result cancels it. */
export type Later = (ms: number, run: () => void) => () => void

const later: Later = (ms, run) => {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}

export type Answer = { known: Known; picture: Picture }
type Job = { done: (answer: Answer) => void; fail: (error: Error) => void }

/** Asks a worker for pictures. Results that depend on the facts alone are computed once per facts. */
export class DrawingClient {
  readonly #make: () => WorkerLike
  readonly #after: Later
  #worker: WorkerLike | null = null
  /** The number of the facts last sent to the worker. */
  #told: number | null = null
  #known: Known | null = null
  readonly #jobs = new Map<number, Job>()
  #next = 0
  #stop = () => {}

  constructor(make: () => WorkerLike, after: Later = later) {
    this.#make = make
    this.#after = after
  }

  /** Rejects if the worker cannot be loaded or fails; the next request starts another one. */
  ask(facts: Facts, wish: Wish): Promise<Answer> {
    return new Promise((done, fail) => {
      this.#stop()
      this.#worker ??= this.#start()
      const id = this.#next++
      this.#jobs.set(id, { done, fail })
      const asked: Asked = { id, facts: this.#told === facts.number ? null : facts, wish }
      this.#told = facts.number
      this.#worker.postMessage(asked)
    })
  }

  #start(): WorkerLike {
    const worker = this.#make()
    worker.onmessage = ({ data: { id, known, picture } }: MessageEvent<Drawn>) => {
      const job = this.#jobs.get(id)
      this.#jobs.delete(id)
      // Answers arrive in the order of requests, so this belongs to the facts last sent before the request.
      if (known !== null) this.#known = known
      if (this.#known !== null) job?.done({ known: this.#known, picture })
      if (this.#jobs.size === 0) this.#stop = this.#after(IDLE_MS, () => this.#end())
    }
    worker.onerror = () => {
      this.#end()
      const jobs = [...this.#jobs.values()]
      this.#jobs.clear()
      for (const { fail } of jobs) fail(new Error('This browser could not draw the picture. Reload the page.'))
    }
    return worker
  }

  #end(): void {
    this.#stop()
    this.#worker?.terminate()
    this.#worker = null
    this.#told = null
  }
}
