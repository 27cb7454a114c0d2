import type { Runs } from './runs.ts'
import type { Asked, Coloured } from './syntax-worker.ts'

/** A hostile text can keep a grammar of the library busy for very long. */
const LIMIT_MS = 2000
const LOADING_MS = 15_000
/** After so many failures (too slow, or not loaded), the page goes without colours. */
const MOST_FAILURES = 3

type Job = { asked: Asked; done: (lines: Coloured['lines'] | null) => void }

/** The parts of a worker that we use, so that a test can replace it. */
export type WorkerLike = Pick<Worker, 'postMessage' | 'terminate' | 'onmessage' | 'onerror'>

/** Runs something after a time in milliseconds; the result cancels it. */
export type Later = (ms: number, run: () => void) => () => void

const later: Later = (ms, run) => {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}

/**
 * Asks a worker for colours, one file after the other. If it takes too long, it is ended, and the file has no colours.
 */
export class ColourClient {
  readonly #make: () => WorkerLike
  readonly #after: Later
  #worker: WorkerLike | null = null
  #ready = false
  #jobs: Job[] = []
  #stop = () => {}
  #failures = 0
  #next = 0

  constructor(make: () => WorkerLike, after: Later = later) {
    this.#make = make
    this.#after = after
  }

  /** The runs of the lines of each text; null if there are none. */
  ask(language: string, texts: readonly string[]): Promise<readonly (readonly Runs[] | null)[] | null> {
    return new Promise((done) => {
      if (this.#failures >= MOST_FAILURES) return done(null)
      this.#jobs.push({ asked: { id: this.#next++, language, texts }, done })
      if (this.#jobs.length === 1) this.#go()
    })
  }

  close(): void {
    this.#end()
    for (const { done } of this.#jobs.splice(0)) done(null)
  }

  #go(): void {
    const [job] = this.#jobs
    if (!job) return
    try {
      this.#worker ??= this.#start()
    } catch {
      return this.#fail()
    }
    this.#stop = this.#after(this.#ready ? LIMIT_MS : LOADING_MS, () => this.#fail())
    if (this.#ready) this.#worker.postMessage(job.asked)
  }

  #start(): WorkerLike {
    const worker = this.#make()
    worker.onmessage = ({ data }: MessageEvent<Coloured | null>) => {
      this.#stop()
      if (data === null) this.#ready = true
      else if (this.#jobs[0]?.asked.id === data.id) this.#jobs.shift()?.done(data.lines)
      this.#go()
    }
    worker.onerror = () => this.#fail()
    return worker
  }

  #fail(): void {
    this.#failures++
    this.#end()
    this.#jobs.shift()?.done(null)
    if (this.#failures >= MOST_FAILURES) this.close()
    else this.#go()
  }

  #end(): void {
    this.#stop()
    this.#worker?.terminate()
    this.#worker = null
    this.#ready = false
  }
}
