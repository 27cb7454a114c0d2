import type { Checksum } from './checksum.ts'
import { FrameParser } from './frame-parser.ts'
import {
  ANSWER_WITHIN_MS,
  BREAKS_WITHIN_MS,
  MAX_BREAKS,
  MAX_SKIPPED_BYTES,
  PING_EVERY_MS,
  SILENT_AFTER_MS,
  SYN_EVERY_MS,
} from './link-bounds.ts'
import type { LinkStream } from './link-stream.ts'
import type { OutputReceiver } from './output-receiver.ts'
import { isSame, NOBODY, putPreamble, tagOf, type Preamble } from './preamble.ts'
import { Tenure } from './tenure.ts'
import type { Opening } from './stream-header.ts'
import { put32 } from './wire-numbers.ts'

/**
 * Why a link ended.
 *
 * - `fenced`: the container says that another server has it. It is only the container's word: the owner of the record
 *   asks the record's lock before giving up.
 * - `unanswered`: no supervisor has answered the preamble.
 * - `silent`: no more bytes came, although the carrier is open.
 * - `broken`: the bytes were damaged again and again, broke the protocol, or were mostly not frames.
 * - `closed`: the carrier has ended, or this server wanted it so.
 */
export type LinkEnd = 'fenced' | 'unanswered' | 'silent' | 'broken' | 'closed'

export type ServerEndEvents = {
  /** There may be something to take. */
  wake(): void
  /** The link is ours: streams may be opened. Called again after it was taken anew, which ended all streams. */
  taken(): void
  /** The container has opened a stream. */
  stream(opening: Opening, stream: LinkStream): void
  /** Called last. All streams have ended. */
  ended(why: LinkEnd): void
}

export type ServerEndOptions = {
  /** The container's magic, 16 bytes. */
  magic: Uint8Array
  /** Returns 16 random bytes. */
  nonce: () => Uint8Array
  /**
   * `nonce` of this server's previous link to the same container: the link is taken only if no other server has it now.
   */
  before: Uint8Array | null
  checksum: Checksum
  /** Milliseconds during which the process ran, as in `tick`. */
  now: number
  /** A carrier without any frame for this long counts as dead; default: `SILENT_AFTER_MS`. */
  silentMs?: number
  events: ServerEndEvents
}

type State =
  | { state: 'taking'; since: number; isDue: boolean; saidAt: number }
  | { state: 'taken'; tenure: Tenure; pingedAt: number }
  | { state: 'ended' }

/** The server's end of a link over one carrier. It starts by taking the link. */
export class ServerEnd {
  readonly #options: ServerEndOptions
  readonly #parser: FrameParser
  #state: State
  /** The nonce with which the link is taken, or being taken. */
  #nonce: Uint8Array
  /** The nonce with which we last had the link. */
  #held: Uint8Array | null
  #now: number
  #hasHeard = false
  #heardAt: number
  #breaks: number[] = []
  #isNewlyTaken = false
  #pings = 0

  constructor(options: ServerEndOptions) {
    this.#options = options
    this.#now = options.now
    this.#heardAt = options.now
    this.#nonce = options.nonce()
    this.#held = options.before
    this.#state = { state: 'taking', since: options.now, isDue: true, saidAt: options.now }
    this.#parser = new FrameParser(options.magic, options.checksum, {
      frame: (frame) => {
        this.#hasHeard = true
        if (this.#state.state === 'taken' && this.#state.tenure.receive(frame) !== null) this.#takeAnew()
      },
      preamble: (preamble) => this.#answered(preamble),
      broken: () => this.#takeAnew(),
    })
  }

  /** The nonce with which this server last had the link; null: it never did. For the link over the next carrier. */
  get held(): Uint8Array | null {
    return this.#held
  }

  /** Null: this server does not have the link now. */
  get tenure(): Tenure | null {
    return this.#state.state === 'taken' ? this.#state.tenure : null
  }

  open(opening: Opening): LinkStream | null {
    return this.tenure?.open(opening) ?? null
  }

  follow(spool: string, from: number): OutputReceiver | null {
    return this.tenure?.follow(spool, from) ?? null
  }

  /** Never throws, whatever the bytes are. */
  receive(bytes: Uint8Array): void {
    if (this.#state.state === 'ended') return
    this.#parser.receive(bytes)
    if (this.#parser.skipped > MAX_SKIPPED_BYTES) return this.#end('broken')
    if (this.#isNewlyTaken) {
      this.#isNewlyTaken = false
      this.#options.events.taken()
    }
    this.tenure?.tell()
  }

  /** Fills `into`, which is at least as long as the largest frame. Returns the number of bytes. */
  take(into: Uint8Array): number {
    const state = this.#state
    if (state.state === 'taken') {
      const end = state.tenure.take(into, 0)
      state.tenure.tell()
      return end
    }
    if (state.state === 'ended' || !state.isDue) return 0
    state.isDue = false
    const { magic, checksum } = this.#options
    return putPreamble(into, 0, magic, { kind: 'syn', nonce: this.#nonce, other: this.#held ?? NOBODY }, checksum)
  }

  /** To be called a few times a second. */
  tick(now: number): void {
    this.#now = now
    if (this.#hasHeard) this.#heardAt = now
    this.#hasHeard = false
    const state = this.#state
    if (state.state === 'taking') {
      if (now - state.since >= ANSWER_WITHIN_MS) return this.#end('unanswered')
      if (now - state.saidAt < SYN_EVERY_MS) return
      this.#state = { ...state, isDue: true, saidAt: now }
      this.#options.events.wake()
    } else if (state.state === 'taken') {
      if (now - this.#heardAt >= (this.#options.silentMs ?? SILENT_AFTER_MS)) return this.#end('silent')
      if (now - state.pingedAt < PING_EVERY_MS) return
      state.pingedAt = now
      const number = new Uint8Array(4)
      put32(number, 0, ++this.#pings)
      state.tenure.ping(number)
    }
  }

  /** The carrier has ended, or is not wanted any more. */
  close(): void {
    this.#end('closed')
  }

  #answered({ kind, nonce, other }: Preamble): void {
    if (kind !== 'ack') return
    const isOurs = isSame(nonce, this.#nonce)
    if (this.#state.state === 'taken') {
      if (!isOurs) this.#end('fenced')
      return
    }
    // For another server, or an old one: the stale bytes of a carrier may contain any number of them.
    if (this.#state.state !== 'taking' || !isSame(other, this.#nonce)) return
    if (!isOurs) return this.#end('fenced')
    this.#held = this.#nonce
    this.#hasHeard = true
    this.#isNewlyTaken = true
    this.#parser.expect(tagOf(this.#nonce))
    const tenure = new Tenure(this.#nonce, 'server', this.#options.checksum, {
      wake: () => this.#options.events.wake(),
      stream: (opening, stream) => this.#options.events.stream(opening, stream),
      lost: () => this.#takeAnew(),
    })
    this.#state = { state: 'taken', tenure, pingedAt: this.#now }
  }

  /** Frames were lost: every stream may have missed some, so all streams end and the link begins again. */
  #takeAnew(): void {
    const { state } = this.#state
    if (state === 'ended') return
    this.#breaks = [...this.#breaks.filter((at) => this.#now - at < BREAKS_WITHIN_MS), this.#now]
    if (this.#breaks.length > MAX_BREAKS) return this.#end('broken')
    const lost = this.tenure
    this.#parser.expect(null)
    this.#isNewlyTaken = false
    this.#nonce = this.#options.nonce()
    this.#state = { state: 'taking', since: this.#now, isDue: true, saidAt: this.#now }
    lost?.lose()
    this.#options.events.wake()
  }

  #end(why: LinkEnd): void {
    if (this.#state.state === 'ended') return
    const lost = this.tenure
    this.#state = { state: 'ended' }
    this.#parser.expect(null)
    lost?.lose()
    this.#options.events.ended(why)
  }
}
