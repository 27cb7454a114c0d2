import { HEAD_BYTES, MAX_PAYLOAD_BYTES, type FrameSealer, type FrameType } from './frame.ts'

/** Frames side by side in one buffer, on their way to the carrier. */
export class Batch {
  readonly into: Uint8Array
  readonly #sealer: FrameSealer
  #at: number

  constructor(into: Uint8Array, at: number, sealer: FrameSealer) {
    this.into = into
    this.#at = at
    this.#sealer = sealer
  }

  /** The end of the frames. */
  get end(): number {
    return this.#at
  }

  /** The largest payload that the next frame may have; negative if there is no room for a frame. */
  get room(): number {
    return Math.min(this.into.length - this.#at - HEAD_BYTES, MAX_PAYLOAD_BYTES)
  }

  /** The position of the next frame's payload in `into`, for a caller that writes it before `seal`. */
  get payloadAt(): number {
    return this.#at + HEAD_BYTES
  }

  seal(type: FrameType, stream: number, length: number): void {
    this.#at = this.#sealer.seal(this.into, this.#at, type, stream, length)
  }

  /** False: there is no room for it. */
  put(type: FrameType, stream: number, payload: Uint8Array): boolean {
    if (payload.length > this.room) return false
    this.into.set(payload, this.payloadAt)
    this.seal(type, stream, payload.length)
    return true
  }
}
