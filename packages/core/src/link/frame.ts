import type { Checksum } from './checksum.ts'
import { put32 } from './wire-numbers.ts'

/*
 * A frame: tag 8, checksum 4, stream 4, type 1, length 3, payload.
 *
 * The tag is the beginning of the nonce with which a server took the link, so frames for another server are never
 * mistaken for ours. The checksum covers everything after it and is seeded with the frame's number (0, 1, 2 … in each
 * direction since the link was taken): after a lost, repeated or moved frame, the next checksum is wrong.
 */
export const TAG_BYTES = 8
export const HEAD_BYTES = 20
/** Including the head. Two frames fill a chunk of 64 KiB, the most that pipes and sockets give at once. */
export const MAX_FRAME_BYTES = 32 * 1024
export const MAX_PAYLOAD_BYTES = MAX_FRAME_BYTES - HEAD_BYTES

export const CHECKSUM_AT = 8
export const STREAM_AT = 12
export const TYPE_AT = 16

export const frameTypes = {
  /** Kind and header as JSON. */
  open: 1,
  data: 2,
  /** The number of further bytes that may be sent, in 4 bytes. */
  win: 3,
  /** This direction of the stream has ended. */
  fin: 4,
  /** The stream is over, with a reason in 1 byte (`reset-reason.ts`). */
  rst: 5,
  /** 4 bytes that come back as `pong`. */
  ping: 6,
  pong: 7,
  /** Output: its offset in 6 bytes, then bytes. */
  out: 8,
  /** Output below this offset is stored: 6 bytes. */
  acked: 9,
  /** A frame from the other end was lost or broken: the link has to be taken again. */
  lost: 10,
} as const
export type FrameType = (typeof frameTypes)[keyof typeof frameTypes]

export type Frame = { type: number; stream: number; payload: Uint8Array }

/** Numbers and seals the frames of one direction. */
export class FrameSealer {
  readonly #tag: Uint8Array
  readonly #checksum: Checksum
  #number = 0

  constructor(tag: Uint8Array, checksum: Checksum) {
    this.#tag = tag
    this.#checksum = checksum
  }

  /** The payload of `length` bytes is already in `into`, after the head's place at `at`. Returns the frame's end. */
  seal(into: Uint8Array, at: number, type: FrameType, stream: number, length: number): number {
    const end = at + HEAD_BYTES + length
    into.set(this.#tag, at)
    put32(into, at + STREAM_AT, stream)
    put32(into, at + TYPE_AT, type * 0x1_00_00_00 + length)
    put32(into, at + CHECKSUM_AT, this.#checksum(into.subarray(at + STREAM_AT, end), this.#number))
    this.#number = (this.#number + 1) >>> 0
    return end
  }
}
