import type { Batch } from './batch.ts'
import type { Channel, Desk } from './channel.ts'
import { frameTypes, type Frame } from './frame.ts'
import { resetReasonOf, resetReasons, type ResetReason } from './reset-reason.ts'
import { SendQueue } from './send-queue.ts'
import { LEAST_READ_BYTES, type SpoolPiece } from './spool.ts'
import { get32, get48, put48 } from './wire-numbers.ts'

const OFFSET_BYTES = 6

/** No event is called from within a method of the sender. */
export type OutputSenderEvents = {
  /** `room` has grown since the last report. */
  room(): void
  acknowledged(offset: number): void
  closed(reason: ResetReason | null): void
}

/** An output at the container's end: a spool's bytes, from the offset that the server asked for. */
export class OutputSender implements Channel {
  readonly id: number
  readonly spool: string
  events: OutputSenderEvents | null = null
  readonly #desk: Desk
  readonly #sending = new SendQueue()
  /** The offset of the next bytes to send. */
  #offset: number
  /** The offset at which the next piece should begin. */
  #next: number
  /** The end of a gap, until it has been reported. */
  #gapTo: number | null = null
  /** Bytes after a gap, until all bytes before it have left. */
  #behindGap: SpoolPiece | null = null
  #acknowledged: number
  #reset: { reason: ResetReason; isSent: boolean } | null = null
  #cutOff: ResetReason | null = null
  #news = { room: true, acknowledged: false, isClosed: false }

  constructor(id: number, spool: string, from: number, desk: Desk) {
    this.id = id
    this.spool = spool
    this.#offset = from
    this.#next = from
    this.#acknowledged = from
    this.#desk = desk
    desk.changed(this)
  }

  /** The offset at which the next piece should begin. */
  get next(): number {
    return this.#next
  }

  /** The most bytes of the next piece, at least `LEAST_READ_BYTES`; 0: wait for `room`. */
  get room(): number {
    const room = this.#behindGap || this.isOver ? 0 : this.#sending.room
    return room < LEAST_READ_BYTES ? 0 : room
  }

  /**
   * Takes a piece that begins at `next` or after it; the bytes between are a gap. The bytes are kept until they are
   * sent.
   */
  offer(piece: SpoolPiece): void {
    if (this.isOver || this.#sending.isEnding) return
    if (piece.from < this.#next) throw new Error(`output ${this.spool} was read at ${piece.from} again`)
    const isGap = piece.from > this.#next
    this.#next = piece.from + piece.bytes.length
    if (!isGap) this.#add(piece)
    else if (this.#sending.length > 0) this.#behindGap = piece
    else this.#skipTo(piece)
  }

  /** The spool cannot be read. */
  fail(): void {
    if (this.isOver) return
    this.#reset = { reason: 'refused', isSent: false }
    this.#sending.abandon()
    this.#desk.hasControl(this)
  }

  receive({ type, payload }: Frame): string | null {
    if (type === frameTypes.rst) this.lose(resetReasonOf(payload[0]))
    else if (type === frameTypes.win && payload.length === 4) {
      this.#sending.allow(get32(payload, 0))
      this.#offer()
    } else if (type === frameTypes.acked && payload.length === OFFSET_BYTES) this.#wasAcknowledged(get48(payload, 0))
    else return `a frame of type ${type} on an output`
    return null
  }

  putControl(batch: Batch): boolean {
    if (this.#reset && !this.#reset.isSent && !this.#cutOff) {
      if (batch.room < 1) return false
      batch.into[batch.payloadAt] = resetReasons.indexOf(this.#reset.reason)
      batch.seal(frameTypes.rst, this.id, 1)
      this.#reset.isSent = true
      this.#desk.changed(this)
    }
    return true
  }

  putBytes(batch: Batch): boolean {
    if (this.isOver || batch.room < OFFSET_BYTES) return this.#isReady
    const length = this.#sending.fill(batch, OFFSET_BYTES, batch.room - OFFSET_BYTES)
    if (length > 0 || this.#gapTo !== null) {
      put48(batch.into, batch.payloadAt, this.#offset)
      batch.seal(frameTypes.out, this.id, OFFSET_BYTES + length)
      this.#offset += length
      this.#gapTo = null
      this.#news.room = true
    } else if (this.#sending.atEnd) {
      batch.seal(frameTypes.fin, this.id, 0)
      this.#sending.sentEnd()
    }
    if (this.#sending.length === 0 && this.#behindGap) this.#skipTo(this.#behindGap)
    this.#desk.changed(this)
    return this.#isReady
  }

  lose(reason: ResetReason): void {
    this.#cutOff ??= reason
    this.#sending.abandon()
    this.#behindGap = null
    this.#desk.changed(this)
  }

  /** After its end it waits for the last acknowledgement. */
  get isOver(): boolean {
    return this.#cutOff !== null || this.#reset?.isSent === true || this.#isComplete
  }

  tell(): void {
    const { room, acknowledged, isClosed } = this.#news
    if (isClosed) return
    this.#news = { room: false, acknowledged: false, isClosed: this.isOver }
    if (acknowledged) this.events?.acknowledged(this.#acknowledged)
    if (this.isOver) this.events?.closed(this.#cutOff ?? this.#reset?.reason ?? null)
    else if (room) this.events?.room()
  }

  get #isComplete(): boolean {
    return this.#sending.hasEnded && this.#reset === null && this.#acknowledged === this.#offset
  }

  get #isReady(): boolean {
    return !this.isOver && (this.#gapTo !== null || this.#sending.isReady)
  }

  /** A server cannot have stored bytes that were never sent to it, whatever it claims. */
  #wasAcknowledged(offset: number): void {
    if (offset <= this.#acknowledged || offset > this.#offset) return
    this.#acknowledged = offset
    this.#news.acknowledged = true
    this.#desk.changed(this)
  }

  #skipTo(piece: SpoolPiece): void {
    this.#behindGap = null
    this.#offset = piece.from
    this.#gapTo = piece.from
    this.#add(piece)
  }

  #add({ bytes, ended }: SpoolPiece): void {
    this.#sending.write(bytes)
    if (ended) this.#sending.end()
    this.#offer()
  }

  #offer(): void {
    if (this.#isReady) this.#desk.hasBytes(this)
  }
}
