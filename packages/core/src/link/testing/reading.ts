import type { LinkStream } from '../link-stream.ts'
import type { ResetReason } from '../reset-reason.ts'
import { joined } from './chance.ts'

/** Reads a stream as fast as it gives, and notes how it closed. */
export class Reading {
  readonly #pieces: Uint8Array[] = []
  closed: ResetReason | null | 'open' = 'open'
  hasEnded = false

  constructor(stream: LinkStream) {
    const read = () => {
      for (let bytes = stream.read(); bytes; bytes = stream.read()) this.#pieces.push(bytes.slice())
      this.hasEnded = stream.hasEnded
    }
    stream.events = { readable: read, writable: () => {}, closed: (why) => (this.closed = why) }
    read()
  }

  get bytes(): Uint8Array {
    return joined(this.#pieces)
  }
}
