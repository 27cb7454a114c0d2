import type { Checksum } from './checksum.ts'
import { CHECKSUM_AT, HEAD_BYTES, MAX_FRAME_BYTES, MAX_PAYLOAD_BYTES, STREAM_AT, TYPE_AT } from './frame.ts'
import type { Frame } from './frame.ts'
import { beginsAt, findPattern, Hunt } from './pattern.ts'
import { MAGIC_BYTES, PREAMBLE_BYTES, readPreamble, type Preamble } from './preamble.ts'
import { get32 } from './wire-numbers.ts'

export type ParserEvents = {
  /** The payload may be kept. It is a part of the received chunk, or a copy. */
  frame(frame: Frame): void
  preamble(preamble: Preamble): void
  /** A frame for us was broken or lost. Until `expect` names a tag, only preambles are looked for. */
  broken(): void
}

/**
 * Finds frames and preambles in a carrier's bytes, wherever they are cut. Only whole frames with the right tag,
 * checksum and number come out; everything else is skipped.
 *
 * A frame within one chunk is not copied. A frame that spans chunks is copied by itself: copies of whole chunks would
 * make the garbage collector a server's largest cost.
 */
export class FrameParser {
  readonly #magic: Uint8Array
  readonly #checksum: Checksum
  readonly #events: ParserEvents
  #tag: Uint8Array | null = null
  #number = 0
  /** Beginning of something incomplete. */
  readonly #held = new Uint8Array(MAX_FRAME_BYTES)
  #length = 0
  /** The number of bytes needed to get further, including the held ones. */
  #need = 0
  /** The end of the held bytes that were searched for a preamble inside of an incomplete frame. */
  #searched = 0
  /** Bytes that belonged to no frame and to no preamble, since `expect`. */
  skipped = 0

  constructor(magic: Uint8Array, checksum: Checksum, events: ParserEvents) {
    this.#magic = magic
    this.#checksum = checksum
    this.#events = events
  }

  /** From the next byte on, frames with this tag are expected, from number 0; null: only preambles. */
  expect(tag: Uint8Array | null): void {
    this.#tag = tag
    this.#number = 0
    this.skipped = 0
  }

  receive(chunk: Uint8Array): void {
    let at = 0
    while (this.#length > 0) {
      const added = Math.min(this.#need - this.#length, chunk.length - at)
      this.#held.set(chunk.subarray(at, at + added), this.#length)
      this.#length += added
      at += added
      if (this.#length < this.#need) return this.#searchInside()
      this.#parseHeld()
    }
    if (at < chunk.length) this.#keep(chunk, at + this.#parse(chunk.subarray(at), false), chunk.length)
    if (this.#length > 0) this.#searchInside()
  }

  #parseHeld(): void {
    const held = this.#held.subarray(0, this.#length)
    this.#keep(this.#held, this.#parse(held, true), held.length)
  }

  #keep(bytes: Uint8Array, from: number, to: number): void {
    if (from < to) this.#held.set(bytes.subarray(from, to)) // also within `held` itself
    this.#length = to - from
    this.#searched = 1
  }

  /** Returns the number of processed bytes; the rest needs `#need` bytes to get further. */
  #parse(bytes: Uint8Array, isHeld: boolean): number {
    let at = 0
    const magic = new Hunt(this.#magic)
    let tag = this.#tag && new Hunt(this.#tag)
    while (at < bytes.length) {
      const expected: Uint8Array | null = this.#tag
      if ((tag?.pattern ?? null) !== expected) tag = expected && new Hunt(expected) // an event may have changed it
      let end = tag && beginsAt(bytes, tag.pattern, at) ? this.#frameAt(bytes, at, isHeld) : -1
      if (end < 0 && beginsAt(bytes, this.#magic, at)) end = this.#preambleAt(bytes, at)
      if (end === 0) return at
      if (end < 0) {
        end = Math.min(magic.after(bytes, at), tag?.after(bytes, at) ?? bytes.length)
        this.skipped += end - at
      }
      at = end
    }
    return at
  }

  /** The frame's end; 0: more bytes are needed; -1: no frame. */
  #frameAt(bytes: Uint8Array, at: number, isHeld: boolean): number {
    const rest = bytes.length - at
    if (rest < HEAD_BYTES) return this.#wait(HEAD_BYTES)
    const word = get32(bytes, at + TYPE_AT)
    const [type, length] = [word >>> 24, word & 0xffffff]
    if (length > MAX_PAYLOAD_BYTES) return this.#fail()
    const end = at + HEAD_BYTES + length
    if (end > bytes.length) return this.#wait(HEAD_BYTES + length)
    const sum = this.#checksum(bytes.subarray(at + STREAM_AT, end), this.#number)
    if (sum !== get32(bytes, at + CHECKSUM_AT)) return this.#fail()
    this.#number = (this.#number + 1) >>> 0
    const payload = isHeld ? bytes.slice(at + HEAD_BYTES, end) : bytes.subarray(at + HEAD_BYTES, end)
    this.#events.frame({ type, stream: get32(bytes, at + STREAM_AT), payload })
    return end
  }

  #preambleAt(bytes: Uint8Array, at: number): number {
    if (bytes.length - at < PREAMBLE_BYTES) return this.#wait(PREAMBLE_BYTES)
    const preamble = readPreamble(bytes.subarray(at, at + PREAMBLE_BYTES), this.#checksum)
    if (!preamble) return -1
    this.#events.preamble(preamble)
    return at + PREAMBLE_BYTES
  }

  #wait(need: number): 0 {
    this.#need = need
    return 0
  }

  /**
   * Frames are missing, so no later one can be right. Looking only for preambles also bounds the time that a carrier
   * full of broken frames costs.
   */
  #fail(): -1 {
    this.#tag = null
    this.#events.broken()
    return -1
  }

  /**
   * A dying server leaves half a frame, and the next server's preamble must not be taken for the rest of it. Only
   * incomplete frames are searched: the checksum finds errors in complete ones. No byte is searched twice.
   */
  #searchInside(): void {
    const bytes = this.#held.subarray(0, this.#length)
    for (let at = this.#searched; ; at++) {
      at = findPattern(bytes, this.#magic, at)
      if (at < 0) {
        this.#searched = Math.max(1, bytes.length - MAGIC_BYTES + 1)
        return
      }
      this.#searched = at
      if (bytes.length - at < PREAMBLE_BYTES) return
      const end = at + PREAMBLE_BYTES
      if (!readPreamble(bytes.subarray(at, end), this.#checksum)) continue
      this.skipped += at
      this.#keep(this.#held, at, this.#length)
      return this.#parseHeld()
    }
  }
}
