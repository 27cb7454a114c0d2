import { Batch } from './batch.ts'
import type { Channel } from './channel.ts'
import type { Checksum } from './checksum.ts'
import { FrameSealer, frameTypes, type Frame } from './frame.ts'
import { MAX_STREAMS, MAX_WAITING_RESETS } from './link-bounds.ts'
import { LinkStream } from './link-stream.ts'
import { OutputReceiver } from './output-receiver.ts'
import { OutputSender } from './output-sender.ts'
import { WindowBudget } from './receive-window.ts'
import { resetReasons, type ResetReason } from './reset-reason.ts'
import { decodeOpening, encodeOpening, type Opening } from './stream-header.ts'
import { tagOf } from './preamble.ts'

/** The kind of the streams that carry output. Only the link itself opens and answers them. */
export const OUTPUT_KIND = 'output'
const MAX_SPOOL_NAME = 200
/** A smaller rest of a batch is not worth a frame of bytes. */
const SMALLEST_ROOM = 512
const PING_BYTES = 4

export type TenureEvents = {
  /** There may be something to take. Called often. */
  wake(): void
  /** The other end has opened a stream. Not called from within a method of the tenure. */
  stream(opening: Opening, stream: LinkStream): void
  /** The server wants an output. Called only at the container's end. */
  output?(sender: OutputSender): void
  pong?(payload: Uint8Array): void
  /** The other end has lost a frame. */
  lost?(): void
}

/**
 * A tenure is the time between one taking of the link and the next, with its streams. It sends in this order: short frames that let others
 * continue (openings, permissions, acknowledgements, resets), then the bytes of streams in turns, then output.
 */
export class Tenure {
  readonly #sealer: FrameSealer
  readonly #events: TenureEvents
  readonly #budget = new WindowBudget()
  readonly #channels = new Map<number, Channel>()
  /**
   * Streams that the other end has opened and whose end has not been reported. This bounds the streams that one chunk
   * can create, however many it opens and resets.
   */
  #theirs = 0
  #lastTheirs: number
  #lastOurs: number
  readonly #control = new Set<Channel>()
  readonly #bytes = new Set<Channel>()
  readonly #outputs = new Set<Channel>()
  readonly #changed = new Set<Channel>()
  #opened: (() => void)[] = []
  #refused: { id: number; reason: ResetReason }[] = []
  #pings: { type: typeof frameTypes.ping | typeof frameTypes.pong; payload: Uint8Array }[] = []
  #hasLost = false

  /** The server opens even numbers, the container odd ones. */
  constructor(nonce: Uint8Array, end: 'server' | 'container', checksum: Checksum, events: TenureEvents) {
    this.#sealer = new FrameSealer(tagOf(nonce), checksum)
    this.#events = events
    this.#lastOurs = end === 'server' ? 0 : -1
    this.#lastTheirs = end === 'server' ? -1 : 0
  }

  /** Throws if the header is too large. */
  open(opening: Opening): LinkStream {
    const payload = encodeOpening(opening)
    return this.#add(new LinkStream((this.#lastOurs += 2), payload, this.#desk, this.#budget))
  }

  /** Asks for an output from an offset on. */
  follow(spool: string, from: number): OutputReceiver {
    const payload = encodeOpening({ kind: OUTPUT_KIND, header: { spool, from } })
    return this.#add(new OutputReceiver((this.#lastOurs += 2), payload, from, this.#desk, this.#budget))
  }

  ping(payload: Uint8Array): void {
    this.#pings = [...this.#pings.filter(({ type }) => type !== frameTypes.ping), { type: frameTypes.ping, payload }]
    this.#events.wake()
  }

  /** Tells the other end that a frame of its own did not arrive. */
  sayLost(): void {
    this.#hasLost = true
    this.#events.wake()
  }

  /** The other end's violation of the protocol, or null. Call `tell` when all received frames have been passed in. */
  receive(frame: Frame): string | null {
    const { type, stream, payload } = frame
    if (type === frameTypes.ping) return this.#wasPinged(payload)
    if (type === frameTypes.pong) return this.#events.pong?.(payload) ?? null
    if (type === frameTypes.lost) return this.#events.lost?.() ?? null
    if (type === frameTypes.open) return this.#wasOpened(stream, payload)
    const channel = this.#channels.get(stream)
    if (channel) return channel.receive(frame)
    const isKnown = stream <= (this.#isOurs(stream) ? this.#lastOurs : this.#lastTheirs)
    return isKnown ? null : 'a frame for a stream that was never opened'
  }

  /** Fills `into` from `at` on with whole frames, and returns their end. A frame of the largest size has to fit. */
  take(into: Uint8Array, at: number): number {
    const batch = new Batch(into, at, this.#sealer)
    if (this.#takeOwn(batch) && this.#takeControl(batch)) {
      takeInTurns(this.#bytes, batch)
      if (this.#bytes.size === 0) takeInTurns(this.#outputs, batch)
    }
    return batch.end
  }

  get hasMore(): boolean {
    const own = this.#hasLost || this.#pings.length > 0 || this.#refused.length > 0
    return own || this.#control.size > 0 || this.#bytes.size > 0 || this.#outputs.size > 0
  }

  /** Calls the events that are due. */
  tell(): void {
    const opened = this.#opened
    this.#opened = []
    for (const tell of opened) tell()
    for (const channel of this.#changed) {
      this.#changed.delete(channel)
      if (channel.isOver) this.#forget(channel)
      channel.tell()
    }
  }

  /** The carrier is gone, or another server has the link: every stream ends. */
  lose(): void {
    for (const channel of this.#channels.values()) channel.lose('lost')
    this.tell()
  }

  #add<One extends Channel>(channel: One): One {
    this.#channels.set(channel.id, channel)
    return channel
  }

  #forget(channel: Channel): void {
    if (!this.#channels.delete(channel.id)) return
    if (!this.#isOurs(channel.id)) this.#theirs -= 1
  }

  #isOurs(stream: number): boolean {
    return (stream - this.#lastOurs) % 2 === 0
  }

  #wasPinged(payload: Uint8Array): string | null {
    if (payload.length !== PING_BYTES) return 'a ping of another size'
    // Only the last ping is answered, so that a sender of many that reads nothing makes no queue.
    this.#pings = [...this.#pings.filter(({ type }) => type !== frameTypes.pong), { type: frameTypes.pong, payload }]
    this.#events.wake()
    return null
  }

  #wasOpened(id: number, payload: Uint8Array): string | null {
    if (this.#isOurs(id) || id <= this.#lastTheirs) return 'a stream was opened out of order'
    const opening = decodeOpening(payload)
    if (!opening) return 'a stream was opened without a kind'
    this.#lastTheirs = id
    if (this.#theirs >= MAX_STREAMS) return this.#refuse(id, 'busy')
    if (opening.kind === OUTPUT_KIND) return this.#wasAskedForOutput(id, opening)
    this.#theirs += 1
    const stream = this.#add(new LinkStream(id, null, this.#desk, this.#budget))
    this.#opened.push(() => this.#events.stream(opening, stream))
    return null
  }

  #wasAskedForOutput(id: number, { header: { spool, from } }: Opening): string | null {
    const isName = typeof spool === 'string' && spool.length <= MAX_SPOOL_NAME
    if (!isName || !isOffset(from)) return 'output was asked for without a name and an offset'
    if (!this.#events.output) return this.#refuse(id, 'refused')
    this.#theirs += 1
    const sender = this.#add(new OutputSender(id, spool, from, this.#desk))
    this.#opened.push(() => this.#events.output?.(sender))
    return null
  }

  #refuse(id: number, reason: ResetReason): string | null {
    if (this.#refused.length >= MAX_WAITING_RESETS) return 'streams are opened and no refusal is read'
    this.#refused.push({ id, reason })
    this.#events.wake()
    return null
  }

  /** Puts frames that belong to no open stream. False: there was no room for all of them. */
  #takeOwn(batch: Batch): boolean {
    if (this.#hasLost && !batch.put(frameTypes.lost, 0, new Uint8Array())) return false
    this.#hasLost = false
    for (let ping = this.#pings[0]; ping; ping = this.#pings[0]) {
      if (!batch.put(ping.type, 0, ping.payload)) return false
      this.#pings.shift()
    }
    for (const [sent, { id, reason }] of this.#refused.entries()) {
      if (batch.put(frameTypes.rst, id, Uint8Array.of(resetReasons.indexOf(reason)))) continue
      this.#refused = this.#refused.slice(sent)
      return false
    }
    this.#refused = []
    return true
  }

  #takeControl(batch: Batch): boolean {
    for (const channel of this.#control) {
      if (!channel.putControl(batch)) return false
      this.#control.delete(channel)
    }
    return true
  }

  readonly #desk = {
    hasControl: (channel: Channel) => {
      this.#control.add(channel)
      this.#events.wake()
    },
    hasBytes: (channel: Channel) => {
      if (channel instanceof OutputSender) this.#outputs.add(channel)
      else this.#bytes.add(channel)
      this.#events.wake()
    },
    changed: (channel: Channel) => {
      this.#changed.add(channel)
      this.#events.wake()
    },
  }
}

const isOffset = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value < 2 ** 48

/** Takes a frame of each channel in turn, as long as there is room: large senders do not delay small ones. */
function takeInTurns(channels: Set<Channel>, batch: Batch): void {
  for (const channel of channels) {
    if (batch.room < SMALLEST_ROOM) return
    channels.delete(channel)
    if (channel.putBytes(batch)) channels.add(channel) // at the end: this loop comes to it again
  }
}
