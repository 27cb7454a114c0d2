import type { Batch } from './batch.ts'
import { ByteQueue } from './byte-queue.ts'
import type { Channel, Desk } from './channel.ts'
import { frameTypes, type Frame } from './frame.ts'
import { ReceiveWindow, type WindowBudget } from './receive-window.ts'
import { resetReasonOf, resetReasons, type ResetReason } from './reset-reason.ts'
import { SendQueue } from './send-queue.ts'
import { get32, put32 } from './wire-numbers.ts'

/** No event is called from within a method of the stream. */
export type StreamEvents = {
  /** There is something to read, or the end. */
  readable(): void
  /** Written bytes have left: there is room again. */
  writable(): void
  /** Called last, and only after everything was read if the other end had ended; null: both directions have ended. */
  closed(reason: ResetReason | null): void
}

/** The state of this end's own reset; `waiting`: until its written bytes have been sent. */
type Reset = { reason: ResetReason; state: 'waiting' | 'due' | 'sent' }

/**
 * A stream of bytes in both directions, which end separately. A reader gives the writer room; without reading, the
 * writer waits after a window of bytes.
 */
export class LinkStream implements Channel {
  readonly id: number
  events: StreamEvents | null = null
  readonly #desk: Desk
  readonly #sending = new SendQueue()
  readonly #window: ReceiveWindow
  readonly #received = new ByteQueue()
  #opening: Uint8Array | null
  #hasReceivedEnd = false
  #reset: Reset | null = null
  /** The other end has reset it, or the link is gone. */
  #cutOff: ResetReason | null = null
  #news = { readable: false, writable: false, isClosed: false }

  /** `opening`: the payload of the frame that opens it; null if the other end has opened it. */
  constructor(id: number, opening: Uint8Array | null, desk: Desk, budget: WindowBudget) {
    this.id = id
    this.#opening = opening
    this.#desk = desk
    this.#window = new ReceiveWindow(budget)
    if (opening) desk.hasControl(this)
  }

  /** The next bytes; null: none now. */
  read(): Uint8Array | null {
    const bytes = this.#received.shift()
    if (!bytes) return null
    if (this.#window.read(bytes.length) && !this.#hasReceivedEnd) this.#desk.hasControl(this)
    if (this.#received.length === 0) this.#desk.changed(this) // this may end it
    return bytes
  }

  /** The other end has ended, and everything was read. */
  get hasEnded(): boolean {
    return this.#hasReceivedEnd && this.#received.length === 0
  }

  /** Bytes that are welcome now. */
  get room(): number {
    return this.#sending.room
  }

  /** The bytes are kept until they are sent. After the end or a cut, they are dropped. */
  write(bytes: Uint8Array): void {
    this.#sending.write(bytes)
    this.#offer()
  }

  end(): void {
    this.#sending.end()
    this.#offer()
  }

  /** Bytes written before `end` still arrive. */
  reset(reason: ResetReason): void {
    if (this.#reset || this.#cutOff || (this.#hasReceivedEnd && this.#sending.isEnding)) return
    this.#received.clear()
    if (this.#sending.isEnding && !this.#sending.hasEnded) {
      this.#reset = { reason, state: 'waiting' }
      return
    }
    this.#sending.abandon()
    this.#reset = { reason, state: 'due' }
    this.#desk.hasControl(this)
    this.#desk.changed(this)
  }

  receive({ type, payload }: Frame): string | null {
    if (type === frameTypes.rst) return this.#wasReset(resetReasonOf(payload[0]))
    if (type === frameTypes.win) {
      if (payload.length !== 4) return 'a permission to send that is no number'
      this.#sending.allow(get32(payload, 0))
      this.#offer()
      return null
    }
    if (type !== frameTypes.data && type !== frameTypes.fin) return `a frame of type ${type} on a stream of bytes`
    if (this.#hasReceivedEnd) return 'bytes behind the end of a stream'
    if (type === frameTypes.fin) this.#hasReceivedEnd = true
    else if (!this.#window.accept(payload.length)) return 'more bytes than a window'
    else if (!this.#reset) this.#received.push(payload)
    this.#news.readable = true
    this.#desk.changed(this)
    return null
  }

  putControl(batch: Batch): boolean {
    if (this.#cutOff) return true
    if (this.#opening) {
      if (this.#reset?.state === 'due') {
        this.#reset.state = 'sent' // the other end has never heard of it
        return true
      }
      if (!batch.put(frameTypes.open, this.id, this.#opening)) return false
      this.#opening = null
    }
    if (this.#window.hasGranted && !this.#hasReceivedEnd && !this.#reset) {
      if (batch.room < 4) return false
      put32(batch.into, batch.payloadAt, this.#window.takeGranted())
      batch.seal(frameTypes.win, this.id, 4)
    }
    return this.#reset?.state === 'due' ? this.#putReset(batch, this.#reset) : true
  }

  putBytes(batch: Batch): boolean {
    if (this.#cutOff || this.#sending.hasEnded) return false
    const hadRoom = this.#sending.room > 0
    const length = this.#sending.fill(batch, 0, batch.room)
    if (length > 0) batch.seal(frameTypes.data, this.id, length)
    else if (this.#sending.atEnd && batch.room >= 0) {
      batch.seal(frameTypes.fin, this.id, 0)
      this.#sending.sentEnd()
      if (this.#reset?.state === 'waiting') this.#reset.state = 'due'
      if (this.#reset) this.#desk.hasControl(this)
      this.#desk.changed(this)
    }
    if (!hadRoom && this.#sending.room > 0) {
      this.#news.writable = true
      this.#desk.changed(this)
    }
    return this.#sending.isReady
  }

  lose(reason: ResetReason): void {
    this.#cut(reason)
    this.#window.close()
  }

  /** Its number is no longer in use: both directions have ended, or it was reset. */
  get isOver(): boolean {
    return this.#cutOff !== null || this.#reset?.state === 'sent' || this.#isComplete
  }

  tell(): void {
    const news = this.#news
    if (news.isClosed) return
    const { readable, writable } = news
    this.#news = { ...news, readable: false, writable: false }
    if (readable && !this.#reset) this.events?.readable()
    if (writable) this.events?.writable()
    // If a handler above has read, or the end was proper, a reader gets the rest before the stream is closed.
    const mustBeRead = this.#hasReceivedEnd && this.#received.length > 0 && !this.#reset
    if (this.#news.isClosed || !this.isOver || mustBeRead) return
    this.#news.isClosed = true
    this.#window.close()
    this.events?.closed(this.#cutOff ?? this.#reset?.reason ?? null)
  }

  get #isComplete(): boolean {
    return this.#hasReceivedEnd && this.#sending.hasEnded && this.#reset?.state !== 'waiting'
  }

  #cut(reason: ResetReason): void {
    if (this.#cutOff || this.#isComplete) return
    this.#cutOff = reason
    this.#sending.abandon()
    this.#news.writable = true // nobody has to wait for room any more
    this.#desk.changed(this)
  }

  #offer(): void {
    if (this.#sending.isReady) this.#desk.hasBytes(this)
  }

  #wasReset(reason: ResetReason): null {
    this.#cut(reason)
    return null
  }

  #putReset(batch: Batch, reset: Reset): boolean {
    if (batch.room < 1) return false
    batch.into[batch.payloadAt] = resetReasons.indexOf(reset.reason)
    batch.seal(frameTypes.rst, this.id, 1)
    reset.state = 'sent'
    this.#desk.changed(this)
    return true
  }
}
