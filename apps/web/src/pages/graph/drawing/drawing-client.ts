import type { Facts, Known, Picture, Wish } from './draw.ts'
import type { Asked, Drawn } from './drawing-worker.ts'

/** A worker that nobody asked for so long is ended. */
const IDLE_MS = 30_000

/** Just what is needed of a worker, so that a test can stand in for one. */
export type WorkerLike = Pick<Worker, 'postMessage' | 'terminate' | 'onmessage' | 'onerror'>

/** Does something later, unless it is stopped. Milliseconds. */
export type Later = (ms: number, run: () => void) => () => void

const later: Later = (ms, run) => {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}

export type Answer = { known: Known; picture: Picture }
type Job = { done: (answer: Answer) => void; fail: (error: Error) => void }

/** Asks a worker for pictures. What follows from the facts alone is worked out once for the same facts. */
export class DrawingClient {
  readonly #make: () => WorkerLike
  readonly #after: Later
  #worker: WorkerLike | null = null
  /** What the worker was told last. */
  #told: number | null = null
  #known: Known | null = null
  readonly #jobs = new Map<number, Job>()
  #next = 0
  #stop = () => {}

  constructor(make: () => WorkerLike, after: Later = later) {
    this.#make = make
    this.#after = after
  }

  /** Rejects when the worker cannot be loaded or fails; the next question starts another one. */
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
      // Answers come in the order of the questions, so this belongs to what was told last before the question.
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
