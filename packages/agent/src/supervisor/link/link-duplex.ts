import { Duplex } from 'node:stream'
import type { LinkStream } from '@beadloom/core/link/link-stream.ts'
import { StreamReset, type ResetReason } from '@beadloom/core/link/reset-reason.ts'
import { StreamBinding } from '@beadloom/core/link/stream-binding.ts'

/** A stream of the link as a Node stream. Each direction ends on its own. */
export class LinkDuplex extends Duplex {
  readonly #binding: StreamBinding

  constructor(stream: LinkStream) {
    super({ allowHalfOpen: true })
    this.#binding = new StreamBinding(stream, {
      push: (bytes) => this.push(bytes),
      cutOff: (reason, afterEnd) => this.#cutOff(reason, afterEnd),
    })
  }

  override _read(): void {
    this.#binding.read()
  }

  override _write(bytes: Buffer, _: BufferEncoding, done: () => void): void {
    this.#binding.write(bytes, done)
  }

  override _final(done: () => void): void {
    this.#binding.end()
    done()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#binding.destroy()
    done(error)
  }

  #cutOff(reason: ResetReason, afterEnd: boolean): void {
    const cut = () => this.destroy(new StreamReset(reason))
    if (afterEnd && !this.readableEnded) this.once('end', cut)
    else cut()
  }
}
