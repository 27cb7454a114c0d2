import { EngineError } from '../../ports/engine.ts'
import type { Exit } from '../../ports/sandbox.ts'
import type { Containers } from '../containers.ts'

/** One start of a container, until it has ended. The engine is asked once, however many wait. */
export class ContainerLife {
  /** Aborted when it has ended; see `exit`. */
  readonly over: AbortSignal
  readonly #over = new AbortController()
  readonly #left = new AbortController()
  #exit: Exit | null = null

  constructor(containers: Containers, container: string, believes: (exit: Exit) => Promise<boolean>) {
    this.over = this.#over.signal
    void this.#watch(containers, container, believes)
  }

  /** Null: it runs, as far as we know. */
  get exit(): Exit | null {
    return this.#exit
  }

  /** Stops watching: nobody wants to know any more. */
  leave(): void {
    this.#left.abort()
  }

  async #watch(containers: Containers, container: string, believes: (exit: Exit) => Promise<boolean>): Promise<void> {
    while (!this.#left.signal.aborted) {
      try {
        const exit = await containers.waitForExit(container, this.#left.signal)
        if (!(await believes(exit))) continue
        this.#exit = exit
        return this.#over.abort()
      } catch (error) {
        if (error instanceof EngineError) return // left
        throw error
      }
    }
  }
}
