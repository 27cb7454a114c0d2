import type { SessionId } from '@beadloom/core/ids.ts'

/** Tells listeners which logs have grown, once for each log and turn of the event loop, however often it grew. */
export class GrowthNews {
  readonly #listeners = new Set<(session: SessionId) => void>()
  readonly #report: (error: unknown) => void
  #grown = new Set<SessionId>()

  constructor(report: (error: unknown) => void) {
    this.#report = report
  }

  readonly onGrow = (listener: (session: SessionId) => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly grown = (session: SessionId): void => {
    if (this.#grown.size === 0) setImmediate(() => this.#tell())
    this.#grown.add(session)
  }

  #tell(): void {
    const grown = this.#grown
    this.#grown = new Set()
    for (const session of grown)
      for (const listener of this.#listeners) {
        try {
          listener(session)
        } catch (error) {
          this.#report(error)
        }
      }
  }
}
