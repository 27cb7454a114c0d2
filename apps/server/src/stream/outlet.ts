import type { ServerFrame } from '@beadloom/core/api/stream/protocol.ts'
import type { WebSocket } from 'ws'
import type { Clock } from '../process/clock.ts'

/** The right to read a slice and send it. Must end in exactly one `send` or `release`. */
export type Turn = {
  /** The number of bytes to read. */
  readonly bytes: number
  send(frame: Uint8Array | string): void
  release(): void
}

/** Bytes at a time for a client that is behind, and for one that takes longer than a second to read them. */
const FAST_BYTES = 256 * 1024
const SLOW_BYTES = 64 * 1024
const SLOW_FLUSH_MS = 1000
/** One slice is on its way while the next is read. More would only fill memory: the kernel buffers too. */
const TURNS = 2

/**
 * The way out to one client. Channels take turns in the order they asked, and a turn is over when its frame has left the
 * process. So whatever a client does, and however many channels it has, at most two slices wait for it, and a slow
 * client gets everything later rather than less.
 */
export class Outlet {
  readonly #socket: WebSocket
  readonly #clock: Clock
  readonly #highWaterBytes: number
  #turns = 0
  #waiting: (() => void)[] = []
  #unflushed = 0
  #progressAt = 0
  #bytes = FAST_BYTES

  constructor(socket: WebSocket, clock: Clock, highWaterBytes: number) {
    this.#socket = socket
    this.#clock = clock
    this.#highWaterBytes = highWaterBytes
  }

  /** Waits until it is this channel's turn; null when `signal` aborted meanwhile. */
  async turn(signal: AbortSignal): Promise<Turn | null> {
    if (this.#turns < TURNS) this.#turns++
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    const release = () => this.#endTurn()
    if (signal.aborted) {
      release()
      return null
    }
    return { bytes: this.#bytes, release, send: (frame) => this.#send(frame, release) }
  }

  /** A small answer out of turn. A client that asks without reading the answers is no longer listened to. */
  answer(frame: ServerFrame): void {
    this.#send(JSON.stringify(frame), () => undefined)
    if (this.#socket.bufferedAmount > this.#highWaterBytes) this.#socket.pause()
  }

  /** For how many milliseconds this client has taken nothing although something waits for it. */
  stalledMs(): number {
    return this.#unflushed === 0 ? 0 : this.#clock.monotonic() - this.#progressAt
  }

  get bufferedBytes(): number {
    return this.#socket.bufferedAmount
  }

  /** The socket is gone: all who wait for a turn get it, and find their signal aborted. */
  close(): void {
    for (const resolve of this.#waiting.splice(0)) resolve()
  }

  #send(frame: Uint8Array | string, done: () => void): void {
    const sentAt = this.#clock.monotonic()
    if (this.#unflushed++ === 0) this.#progressAt = sentAt
    this.#socket.send(frame, () => {
      const now = this.#clock.monotonic()
      this.#unflushed--
      this.#progressAt = now
      this.#bytes = now - sentAt > SLOW_FLUSH_MS ? SLOW_BYTES : FAST_BYTES
      if (this.#socket.isPaused && this.#socket.bufferedAmount < this.#highWaterBytes / 2) this.#socket.resume()
      done()
    })
  }

  /** Passes the turn on to the next in line, or frees it. */
  #endTurn(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#turns--
  }
}
