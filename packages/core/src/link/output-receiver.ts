import type { Batch } from './batch.ts'
import { ByteQueue } from './byte-queue.ts'
import type { Channel, Desk } from './channel.ts'
import { frameTypes, type Frame } from './frame.ts'
import { MAX_GAPS } from './link-bounds.ts'
import { ReceiveWindow, type WindowBudget } from './receive-window.ts'
import { resetReasonOf, resetReasons, type ResetReason } from './reset-reason.ts'
import { get48, put32, put48 } from './wire-numbers.ts'

const OFFSET_BYTES = 6

/** `gap`: output that its container does not have (any more), up to `to`. */
export type OutputPiece = { type: 'bytes'; from: number; bytes: Uint8Array } | { type: 'gap'; from: number; to: number }

/** No event is called from within a method of the receiver. */
export type OutputReceiverEvents = {
  readable(): void
  /**
   * Called last. Null: the output has ended, everything was read, and `from` of the next piece would be its size. With
   * a reason, the next link may ask for it again from its record's end.
   */
  closed(reason: ResetReason | null): void
}

/** Bytes without a gap between them. */
type Stretch = { from: number; bytes: ByteQueue }

/**
 * An output at the server's end, from an offset on: each byte once and in order, whatever the container sends. Its
 * owner acknowledges stored bytes, which the container may then forget.
 */
export class OutputReceiver implements Channel {
  readonly id: number
  events: OutputReceiverEvents | null = null
  readonly #desk: Desk
  readonly #window: ReceiveWindow
  #opening: Uint8Array | null
  /** The offset of the next byte to read. */
  #read: number
  /** The offset of the next byte to arrive. */
  #next: number
  #stretches: Stretch[]
  #gaps = 0
  /** `isTold`: the other end knows it. */
  #acknowledged: { offset: number; isTold: boolean }
  #hasEnded = false
  #reset: { isSent: boolean } | null = null
  #cutOff: ResetReason | null = null
  #news = { readable: false, isClosed: false }

  constructor(id: number, opening: Uint8Array, from: number, desk: Desk, budget: WindowBudget) {
    this.id = id
    this.#opening = opening
    this.#read = from
    this.#next = from
    this.#stretches = [{ from, bytes: new ByteQueue() }]
    this.#acknowledged = { offset: from, isTold: true }
    this.#desk = desk
    this.#window = new ReceiveWindow(budget)
    desk.hasControl(this)
  }

  /** Null: no piece now. Reading makes room for more. */
  read(): OutputPiece | null {
    const [first, second] = this.#stretches
    if (!first) return null
    const bytes = first.bytes.shift()
    if (bytes) {
      const from = this.#read
      this.#read += bytes.length
      if (this.#window.read(bytes.length) && !this.#hasEnded) this.#desk.hasControl(this)
      if (this.hasEnded) this.#desk.changed(this)
      return { type: 'bytes', from, bytes }
    }
    if (!second) return null
    const gap: OutputPiece = { type: 'gap', from: this.#read, to: second.from }
    this.#stretches.shift()
    this.#read = second.from
    if (this.hasEnded) this.#desk.changed(this)
    return gap
  }

  /** The spool has ended, and all of it was read. */
  get hasEnded(): boolean {
    return this.#hasEnded && this.#read === this.#next
  }

  /** Everything below `offset` outlives this server. It is never asked for again. */
  acknowledge(offset: number): void {
    if (offset > this.#read) throw new Error(`output was acknowledged up to ${offset}, and read up to ${this.#read}`)
    if (offset <= this.#acknowledged.offset) return
    this.#acknowledged = { offset, isTold: false }
    this.#desk.hasControl(this)
  }

  /** Stops the output: no more of it is wanted. */
  stop(): void {
    if (this.#reset || this.isOver) return
    this.#reset = { isSent: false }
    this.#stretches = []
    this.#desk.hasControl(this)
  }

  receive({ type, payload }: Frame): string | null {
    if (type === frameTypes.rst) this.#cutOff = resetReasonOf(payload[0])
    else if (this.#hasEnded) return 'output behind its end'
    else if (type === frameTypes.fin) this.#hasEnded = true
    else if (type !== frameTypes.out || payload.length < OFFSET_BYTES) return `a frame of type ${type} on an output`
    else {
      const wrong = this.#accept(get48(payload, 0), payload.subarray(OFFSET_BYTES))
      if (wrong) return wrong
    }
    this.#news.readable = true
    this.#desk.changed(this)
    return null
  }

  putControl(batch: Batch): boolean {
    if (this.#cutOff || this.#isComplete) return true
    if (this.#opening) {
      if (!batch.put(frameTypes.open, this.id, this.#opening)) return false
      this.#opening = null
    }
    if (this.#window.hasGranted && !this.#hasEnded) {
      if (batch.room < 4) return false
      put32(batch.into, batch.payloadAt, this.#window.takeGranted())
      batch.seal(frameTypes.win, this.id, 4)
    }
    if (!this.#acknowledged.isTold) {
      if (batch.room < OFFSET_BYTES) return false
      put48(batch.into, batch.payloadAt, this.#acknowledged.offset)
      batch.seal(frameTypes.acked, this.id, OFFSET_BYTES)
      this.#acknowledged.isTold = true
      this.#desk.changed(this)
    }
    return this.#putReset(batch)
  }

  putBytes(): boolean {
    return false
  }

  lose(reason: ResetReason): void {
    this.#cutOff ??= reason
    this.#window.close()
    this.#desk.changed(this)
  }

  get isOver(): boolean {
    return this.#cutOff !== null || this.#reset?.isSent === true || this.#isComplete
  }

  /** The owner is told the end when everything was read, before the acknowledgement, which the owner then sends. */
  tell(): void {
    if (this.#news.isClosed) return
    const { readable } = this.#news
    this.#news.readable = false
    if (readable && !this.#reset) this.events?.readable()
    if (this.#news.isClosed || !(this.isOver || this.hasEnded)) return
    this.#news.isClosed = true
    this.#window.close()
    this.events?.closed(this.hasEnded ? null : (this.#cutOff ?? 'reset'))
  }

  get #isComplete(): boolean {
    return this.#hasEnded && this.#acknowledged.isTold && this.#acknowledged.offset === this.#next
  }

  #accept(offset: number, bytes: Uint8Array): string | null {
    if (offset < this.#next) return 'output that was sent before'
    if (!this.#window.accept(bytes.length)) return 'more output than a window'
    if (this.#reset) return null
    if (offset > this.#next) {
      if (++this.#gaps > MAX_GAPS) return 'too many gaps in one output'
      this.#stretches.push({ from: offset, bytes: new ByteQueue() })
    }
    this.#stretches.at(-1)?.bytes.push(bytes)
    this.#next = offset + bytes.length
    return null
  }

  #putReset(batch: Batch): boolean {
    if (!this.#reset || this.#reset.isSent) return true
    if (batch.room < 1) return false
    batch.into[batch.payloadAt] = resetReasons.indexOf('reset')
    batch.seal(frameTypes.rst, this.id, 1)
    this.#reset.isSent = true
    this.#desk.changed(this)
    return true
  }
}
