import { Duplex } from 'node:stream'
import type { LinkStream } from '@beadloom/core/link/link-stream.ts'
import { StreamReset, type ResetReason } from '@beadloom/core/link/reset-reason.ts'
import { StreamBinding } from '@beadloom/core/link/stream-binding.ts'

/** Kept of a body that nobody reads yet. If a container sends single bytes, each takes an object of a hundred bytes. */
const UNREAD_BYTES = 1024

/**
 * A stream of the link in the form of a socket for Node's HTTP server: pass it to `server.emit('connection', stream)`.
 * The only socket setting with an effect is the idle timeout, with which the server closes kept connections.
 */
export class LinkDuplex extends Duplex {
  readonly #binding: StreamBinding
  #idle: NodeJS.Timeout | null = null

  constructor(stream: LinkStream) {
    super({ allowHalfOpen: true, readableHighWaterMark: UNREAD_BYTES })
    this.#binding = new StreamBinding(stream, {
      push: (bytes) => {
        this.#idle?.refresh()
        return this.push(bytes)
      },
      cutOff: (reason, afterEnd) => this.#cutOff(reason, afterEnd),
    })
  }

  override _read(): void {
    this.#binding.read()
  }

  override _write(bytes: Buffer, _: BufferEncoding, done: () => void): void {
    this.#idle?.refresh()
    this.#binding.write(bytes, done)
  }

  override _final(done: () => void): void {
    this.#binding.end()
    done()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    if (this.#idle) clearTimeout(this.#idle)
    this.#binding.destroy()
    done(error)
  }

  /** Ends, and destroys itself when everything has been handed to the link, which still delivers it. */
  destroySoon(): void {
    if (this.writableFinished) return void this.destroy()
    this.once('finish', () => this.destroy())
    if (!this.writableEnded) this.end()
  }

  /** Emits `timeout` after so many milliseconds without traffic; 0: never. */
  setTimeout(ms: number, onTimeout?: () => void): this {
    if (this.#idle) clearTimeout(this.#idle)
    this.#idle = ms > 0 && !this.destroyed ? setTimeout(() => this.emit('timeout'), ms).unref() : null
    if (onTimeout) this.once('timeout', onTimeout)
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
