import { crc32 } from 'node:zlib'
import { FrameSealer, HEAD_BYTES, type FrameType } from '../frame.ts'
import { PREAMBLE_BYTES, putPreamble, tagOf } from '../preamble.ts'
import type { ServerEnd } from '../server-end.ts'
import { magic } from './lab.ts'

/**
 * A container that follows no rules, but knows tag, numbers and checksums: its agent can read the supervisor's memory.
 */
export class Forger {
  readonly #sealer: FrameSealer
  readonly nonce: Uint8Array

  constructor(server: ServerEnd) {
    const buffer = new Uint8Array(64 * 1024)
    server.take(buffer)
    this.nonce = buffer.slice(20, 36)
    server.receive(this.preamble(this.nonce))
    this.#sealer = new FrameSealer(tagOf(this.nonce), crc32)
  }

  preamble(nonce: Uint8Array, other = this.nonce): Uint8Array {
    const bytes = new Uint8Array(PREAMBLE_BYTES)
    putPreamble(bytes, 0, magic, { kind: 'ack', nonce, other }, crc32)
    return bytes
  }

  frame(type: number, stream: number, payload: Uint8Array | string = new Uint8Array()): Uint8Array {
    return forge(this.#sealer, type, stream, payload)
  }
}

export function forge(sealer: FrameSealer, type: number, stream: number, payload: Uint8Array | string): Uint8Array {
  const bytes = typeof payload === 'string' ? Uint8Array.from(payload, (letter) => letter.charCodeAt(0)) : payload
  const frame = new Uint8Array(HEAD_BYTES + bytes.length)
  frame.set(bytes, HEAD_BYTES)
  sealer.seal(frame, 0, type as FrameType, stream, bytes.length)
  return frame
}
