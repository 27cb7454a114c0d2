import { Duplex } from 'node:stream'
import type { LinkStream } from '@beadloom/core/link/link-stream.ts'
import { StreamReset, type ResetReason } from '@beadloom/core/link/reset-reason.ts'
import { StreamBinding } from '@beadloom/core/link/stream-binding.ts'

/** Of a body that nobody reads yet. A container may send it a byte at a time, and each is an object of a hundred. */
const UNREAD_BYTES = 1024

/**
 * A stream of the link as Node's HTTP server wants its sockets: hand it over with `server.emit('connection', stream)`.
 * Limits of time are the server's own business, which has its headers' timeout; the rest of a socket's settings mean
 * nothing here.
 */
export class LinkDuplex extends Duplex {
  readonly #binding: StreamBinding

  constructor(stream: LinkStream) {
    super({ allowHalfOpen: true, readableHighWaterMark: UNREAD_BYTES })
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

  /** Ends, and is gone when everything has been handed to the link, which still delivers it. */
  destroySoon(): void {
    if (this.writableFinished) return void this.destroy()
    this.once('finish', () => this.destroy())
    if (!this.writableEnded) this.end()
  }

  setTimeout(): this {
    return this
  }

  setNoDelay(): this {
    return this
  }

  setKeepAlive(): this {
    return this
  }

  ref(): this {
    return this
  }

  unref(): this {
    return this
  }

  #cutOff(reason: ResetReason, afterEnd: boolean): void {
    const cut = () => this.destroy(new StreamReset(reason))
    if (afterEnd && !this.readableEnded) this.once('end', cut)
    else cut()
  }
}
