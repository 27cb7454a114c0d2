import type { OutputPiece, OutputReceiver } from './output-receiver.ts'
import type { ResetReason } from './reset-reason.ts'

/** The place where an output is recorded. */
export interface OutputSink {
  /**
   * Stores a piece. The next one follows when this has resolved, so a slow sink makes the container wait. A rejection
   * stops the output; nothing more is written.
   */
  write(piece: OutputPiece): Promise<void> | void
  /**
   * Called last; null: everything has been written. Otherwise the output has to be followed again from the record's
   * end.
   */
  closed(reason: ResetReason | null): void
}

/** Reads an output into a sink, a piece at a time. */
export class OutputFollower {
  readonly #receiver: OutputReceiver
  readonly #sink: OutputSink
  #isWriting = false
  #closed: { reason: ResetReason | null } | null = null
  #isOver = false

  constructor(receiver: OutputReceiver, sink: OutputSink) {
    this.#receiver = receiver
    this.#sink = sink
    receiver.events = {
      readable: () => void this.#writeOn(),
      closed: (reason) => {
        this.#closed = { reason }
        if (!this.#isWriting) this.#end(reason)
      },
    }
  }

  /** Everything below `offset` outlives this server; the container may forget it. */
  acknowledge(offset: number): void {
    this.#receiver.acknowledge(offset)
  }

  /** Nothing more is written after the present write. */
  stop(): void {
    this.#receiver.stop()
  }

  async #writeOn(): Promise<void> {
    if (this.#isWriting || this.#isOver) return
    this.#isWriting = true
    try {
      for (let piece = this.#receiver.read(); piece; piece = this.#receiver.read()) {
        const written = this.#sink.write(piece)
        if (written) await written
        if (this.#closed?.reason) break
      }
    } catch {
      this.#receiver.stop()
      this.#closed ??= { reason: 'reset' }
    }
    this.#isWriting = false
    if (this.#closed) this.#end(this.#closed.reason)
  }

  #end(reason: ResetReason | null): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#sink.closed(reason)
  }
}
