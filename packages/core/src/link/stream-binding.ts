import type { LinkStream } from './link-stream.ts'
import type { ResetReason } from './reset-reason.ts'

/** The calls of a binding to its platform's stream object. */
export type BoundStream = {
  /** False: push no more until the platform asks again. */
  push(bytes: Uint8Array | null): boolean
  /** Destroys the stream; `afterEnd`: not before all pushed bytes have been read. */
  cutOff(reason: ResetReason, afterEnd: boolean): void
}

/** The methods of Node's duplex streams, on a stream of the link. */
export class StreamBinding {
  readonly #stream: LinkStream
  readonly #bound: BoundStream
  #wantsMore = false
  #hasPushedEnd = false
  /** A write that has no room yet. */
  #waiting: (() => void) | null = null

  constructor(stream: LinkStream, bound: BoundStream) {
    this.#stream = stream
    this.#bound = bound
    stream.events = {
      readable: () => this.#pull(),
      writable: () => this.#goOn(),
      closed: (reason) => {
        this.#pull()
        this.#goOn()
        if (reason !== null) bound.cutOff(reason, this.#hasPushedEnd)
      },
    }
  }

  read(): void {
    this.#wantsMore = true
    this.#pull()
  }

  /** `done` is called when there is room for more. The bytes must not be changed, even after that. */
  write(bytes: Uint8Array, done: () => void): void {
    this.#stream.write(bytes)
    if (this.#stream.room > 0) done()
    else this.#waiting = done
  }

  end(): void {
    this.#stream.end()
  }

  destroy(): void {
    this.#stream.reset('reset')
  }

  #pull(): void {
    while (this.#wantsMore) {
      const bytes = this.#stream.read()
      if (!bytes) break
      this.#wantsMore = this.#bound.push(bytes)
    }
    if (!this.#stream.hasEnded || this.#hasPushedEnd) return
    this.#hasPushedEnd = true
    this.#bound.push(null)
  }

  #goOn(): void {
    const done = this.#waiting
    this.#waiting = null
    done?.()
  }
}
