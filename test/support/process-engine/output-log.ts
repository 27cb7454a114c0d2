import { closeSync, openSync, readSync, writeSync } from 'node:fs'
import type { OutputFrame, FrameSource } from '@beadloom/server/src/ports/sandbox.ts'

type Frame = OutputFrame & { at: number }
/** How much of the file its consumer has taken. */
type Reader = { taken: number; closed: boolean }

/** Stream (1 byte), time in milliseconds (8), length (4); then the bytes. */
const HEADER = 13
/** A program whose reader is further behind than this waits for it. */
const AHEAD_BYTES = 1024 ** 2

/** What one start of a container has printed on both streams, in the order in which it came. */
export class OutputLog {
  readonly #file: number
  readonly #holdingBack = new Set<Reader>()
  #size = 0
  #printed = 0
  #ended = false
  #changed = Promise.withResolvers<void>()

  constructor(path: string) {
    this.#file = openSync(path, 'w+')
  }

  /** Of both streams. */
  get bytes(): number {
    return this.#printed
  }

  append(stream: OutputFrame['stream'], bytes: Buffer, at: number): void {
    if (this.#ended) return // its container was removed
    this.#printed += bytes.length
    const header = Buffer.alloc(HEADER)
    header.writeUInt8(stream === 'stdout' ? 1 : 2, 0)
    header.writeDoubleBE(at, 1)
    header.writeUInt32BE(bytes.length, 9)
    this.#size += writeSync(this.#file, Buffer.concat([header, bytes]), 0, HEADER + bytes.length, this.#size)
    this.#tell()
  }

  end(): void {
    this.#ended = true
    this.#tell()
  }

  /** Resolves when every reader that holds the program back has nearly caught up. */
  async room(): Promise<void> {
    while ([...this.#holdingBack].some(({ taken }) => this.#size - taken > AHEAD_BYTES)) await this.#changed.promise
  }

  /** Everything from the first byte on, until the end. A reader that `holdsBack` stops the program by not reading. */
  read({ holdsBack }: { holdsBack: boolean }): FrameSource {
    const reader: Reader = { taken: 0, closed: false }
    if (holdsBack) this.#holdingBack.add(reader)
    return { close: () => this.#leave(reader), [Symbol.asyncIterator]: () => this.#frames(reader) }
  }

  /** When nobody reads or writes it any more. */
  close(): void {
    this.end()
    closeSync(this.#file)
  }

  async *#frames(reader: Reader): AsyncGenerator<Frame, void, undefined> {
    try {
      while (!reader.closed) {
        if (reader.taken < this.#size) {
          const frame = this.#frameAt(reader.taken)
          yield frame
          reader.taken += HEADER + frame.bytes.length
          this.#tell()
        } else if (this.#ended) return
        else await this.#changed.promise
      }
    } finally {
      this.#leave(reader)
    }
  }

  #leave(reader: Reader): void {
    reader.closed = true
    this.#holdingBack.delete(reader)
    this.#tell()
  }

  #frameAt(at: number): Frame {
    const header = this.#bytesAt(at, HEADER)
    const bytes = this.#bytesAt(at + HEADER, header.readUInt32BE(9))
    return { stream: header.readUInt8(0) === 1 ? 'stdout' : 'stderr', bytes, at: header.readDoubleBE(1) }
  }

  #bytesAt(at: number, length: number): Buffer {
    const bytes = Buffer.alloc(length)
    readSync(this.#file, bytes, 0, length, at)
    return bytes
  }

  #tell(): void {
    this.#changed.resolve()
    this.#changed = Promise.withResolvers()
  }
}
