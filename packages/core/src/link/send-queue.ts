import type { Batch } from './batch.ts'
import { FIRST_WINDOW_BYTES, WRITE_AHEAD_BYTES } from './link-bounds.ts'

/** More than any window, so that the sum of a flood of permissions stays exact. */
const MOST_CREDIT = 2 ** 40

/**
 * One direction of a stream at the writing end: waiting bytes, the number that may be sent, and whether it has ended.
 */
export class SendQueue {
  #pieces: Uint8Array[] = []
  /** The number of sent bytes of the first piece. */
  #sent = 0
  #length = 0
  #credit = FIRST_WINDOW_BYTES
  #state: 'open' | 'ending' | 'ended' = 'open'

  get length(): number {
    return this.#length
  }

  get room(): number {
    return this.#state === 'open' ? Math.max(0, WRITE_AHEAD_BYTES - this.#length) : 0
  }

  get isEnding(): boolean {
    return this.#state !== 'open'
  }

  get hasEnded(): boolean {
    return this.#state === 'ended'
  }

  /** Also takes more than `room`: a writer that does not wait loses no bytes. */
  write(bytes: Uint8Array): void {
    if (this.#state !== 'open' || bytes.length === 0) return
    this.#pieces.push(bytes)
    this.#length += bytes.length
  }

  end(): void {
    if (this.#state === 'open') this.#state = 'ending'
  }

  /** Drops the waiting bytes; nothing more is sent. */
  abandon(): void {
    this.#pieces = []
    this.#length = 0
    this.#state = 'ended'
  }

  allow(bytes: number): void {
    this.#credit = Math.min(MOST_CREDIT, this.#credit + bytes)
  }

  /** Bytes that may be sent now. */
  get sendable(): number {
    return Math.min(this.#length, this.#credit)
  }

  /** Whether only the end is left to be sent. */
  get atEnd(): boolean {
    return this.#state === 'ending' && this.#length === 0
  }

  get isReady(): boolean {
    return this.sendable > 0 || this.atEnd
  }

  /**
   * Moves up to `atMost` sendable bytes into the payload of the batch's next frame, `skip` bytes after its beginning.
   */
  fill(batch: Batch, skip: number, atMost: number): number {
    const wanted = Math.min(atMost, this.sendable)
    let filled = 0
    while (filled < wanted) {
      const first = this.#pieces[0]
      if (!first) break
      const part = first.subarray(this.#sent, this.#sent + wanted - filled)
      batch.into.set(part, batch.payloadAt + skip + filled)
      filled += part.length
      this.#sent += part.length
      if (this.#sent < first.length) break
      this.#pieces.shift()
      this.#sent = 0
    }
    this.#length -= filled
    this.#credit -= filled
    return filled
  }

  sentEnd(): void {
    this.#state = 'ended'
  }
}
