import type { OutputFrame } from '../../ports/sandbox.ts'

const HEADER_BYTES = 8
/** Docker's own frames are at most 32 KiB; a greater length than this does not come from Docker. */
const LARGEST_FRAME = 16 * 1024 * 1024
/** Docker's time and the space after it are 31 to 36 characters. */
const LONGEST_STAMP = 64
const SPACE = 32

export class MalformedOutput extends Error {
  override name = 'MalformedOutput'
}

/**
 * Splits the stream of a container without a terminal into stdout and stderr: `u8 stream | 3 zero bytes | u32 length
 * (big endian) | bytes`. A loop without recursion and without copies: an incomplete frame is passed on in parts, so
 * only the bytes of a header are ever collected here.
 *
 * `stamped`: for a log with timestamps. Each frame then starts with one, which is removed.
 */
export class Demultiplexer {
  #header = Buffer.alloc(HEADER_BYTES)
  #headerBytes = 0
  #stream: OutputFrame['stream'] = 'stdout'
  #left = 0
  readonly #stamped: boolean
  /** The part of a frame's timestamp that has arrived; null: all of it. */
  #stamp: string | null = null
  #at: Pick<OutputFrame, 'at'> = {}
  #lastStamp = ''

  constructor({ stamped = false } = {}) {
    this.#stamped = stamped
  }

  /** The frames in this chunk, in order; their bytes are views of it. Throws `MalformedOutput`. */
  push(chunk: Buffer): OutputFrame[] {
    const frames: OutputFrame[] = []
    let at = 0
    while (at < chunk.length) {
      if (this.#left > 0) {
        const end = Math.min(at + this.#left, chunk.length)
        if (this.#stamp !== null) {
          const taken = this.#readStamp(chunk.subarray(at, end))
          this.#left -= taken
          at += taken
          continue
        }
        frames.push({ stream: this.#stream, bytes: chunk.subarray(at, end), ...this.#at })
        this.#left -= end - at
        at = end
        continue
      }
      const taken = chunk.copy(this.#header, this.#headerBytes, at, at + HEADER_BYTES - this.#headerBytes)
      this.#headerBytes += taken
      at += taken
      if (this.#headerBytes === HEADER_BYTES) this.#open()
    }
    return frames
  }

  /** Whether the stream may end here; false in the middle of a frame. */
  get complete(): boolean {
    return this.#left === 0 && this.#headerBytes === 0
  }

  #open(): void {
    const header = this.#header
    const kind = header.readUInt8(0)
    const length = header.readUInt32BE(4)
    const padded = header.readUIntBE(1, 3) === 0
    if (kind > 2 || !padded || length > LARGEST_FRAME) {
      throw new MalformedOutput(`not a frame of Docker's output: ${header.toString('hex')}`)
    }
    this.#stream = kind === 2 ? 'stderr' : 'stdout'
    this.#left = length
    this.#headerBytes = 0
    if (!this.#stamped) return
    if (length === 0) throw new MalformedOutput('a frame of Docker’s log without its time')
    this.#stamp = ''
  }

  /** How many of these bytes belong to the frame's timestamp, including the space after it. */
  #readStamp(bytes: Buffer): number {
    const space = bytes.indexOf(SPACE)
    const taken = space === -1 ? bytes.length : space + 1
    const stamp = `${this.#stamp}${bytes.toString('latin1', 0, Math.min(space === -1 ? taken : space, LONGEST_STAMP))}`
    if (space === -1 && taken < this.#left && stamp.length < LONGEST_STAMP) this.#stamp = stamp
    else this.#endStamp(space === -1 ? '' : stamp)
    return taken
  }

  #endStamp(stamp: string): void {
    this.#stamp = null
    if (stamp === this.#lastStamp && stamp !== '') return // the pieces of a long line
    const at = stamp.length > LONGEST_STAMP ? Number.NaN : Date.parse(stamp)
    if (Number.isNaN(at)) throw new MalformedOutput(`not a time of Docker's log: ${JSON.stringify(stamp)}`)
    this.#lastStamp = stamp
    this.#at = { at }
  }
}
