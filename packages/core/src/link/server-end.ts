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
} from './link-limits.ts'
import type { LinkStream } from './link-stream.ts'
import type { OutputReceiver } from './output-receiver.ts'
import { isSame, NOBODY, putPreamble, tagOf, type Preamble } from './preamble.ts'
import { Session } from './session.ts'
import type { Opening } from './stream-header.ts'
import { put32 } from './wire-numbers.ts'

/**
 * Why a link ended.
 *
 * - `fenced`: the container says that another server has it. It is the container's word: whoever owns the record asks
 *   the record's lock before giving up.
 * - `unanswered`: no supervisor has answered the preamble.
 * - `silent`: nothing came any more, though the carrier is open.
 * - `broken`: what came was damaged again and again, broke the protocol, or was mostly no frames.
 * - `closed`: the carrier has ended, or this server wanted it so.
 */
export type LinkEnd = 'fenced' | 'unanswered' | 'silent' | 'broken' | 'closed'

export type ServerEndEvents = {
  /** There may be something to take. */
  wake(): void
  /** The link is ours: streams may be opened. Told again when it was taken anew after a break, which ended all streams. */
  taken(): void
  /** The container has opened a stream. */
  stream(opening: Opening, stream: LinkStream): void
  /** Last of all. All streams have ended. */
  ended(why: LinkEnd): void
}

export type ServerEndOptions = {
  /** The container's, 16 bytes. */
  magic: Uint8Array
  /** 16 bytes by chance. */
  nonce: () => Uint8Array
  /** `nonce` of the link that this server had to the same container before: it is taken only if nobody else has it now. */
  before: Uint8Array | null
  checksum: Checksum
  /** Milliseconds of the time in which the process ran, as in `tick`. */
  now: number
  /** Without any frame for so long the carrier counts as dead; default: `SILENT_AFTER_MS`. */
  silentMs?: number
  events: ServerEndEvents
}

type State =
  | { state: 'taking'; since: number; isDue: boolean; saidAt: number }
  | { state: 'taken'; session: Session; pingedAt: number }
  | { state: 'ended' }

/** The server's end of a link over one carrier. It starts by taking the link. */
export class ServerEnd {
  readonly #options: ServerEndOptions
  readonly #parser: FrameParser
  #state: State
  /** What the link is taken, or being taken, as. */
  #nonce: Uint8Array
  /** As what it was ours the last time. */
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
        if (this.#state.state === 'taken' && this.#state.session.receive(frame) !== null) this.#takeAnew()
      },
      preamble: (preamble) => this.#answered(preamble),
      broken: () => this.#takeAnew(),
    })
  }

  /** As what this server had the link the last time; null: it never did. For the link over the next carrier. */
  get held(): Uint8Array | null {
    return this.#held
  }

  /** Null: the link is not ours now. */
  get session(): Session | null {
    return this.#state.state === 'taken' ? this.#state.session : null
  }

  open(opening: Opening): LinkStream | null {
    return this.session?.open(opening) ?? null
  }

  follow(spool: string, from: number): OutputReceiver | null {
    return this.session?.follow(spool, from) ?? null
  }

  /** Whatever it is made of, nothing is thrown. */
  receive(bytes: Uint8Array): void {
    if (this.#state.state === 'ended') return
    this.#parser.receive(bytes)
    if (this.#parser.skipped > MAX_SKIPPED_BYTES) return this.#end('broken')
    if (this.#isNewlyTaken) {
      this.#isNewlyTaken = false
      this.#options.events.taken()
    }
    this.session?.tell()
  }

  /** Fills `into`, which is at least as long as the largest frame. Returns how many bytes it is. */
  take(into: Uint8Array): number {
    const state = this.#state
    if (state.state === 'taken') {
      const end = state.session.take(into, 0)
      state.session.tell()
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
      state.session.ping(number)
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
    // Of another server, or from before: the stale bytes of a carrier may hold any number of them.
    if (this.#state.state !== 'taking' || !isSame(other, this.#nonce)) return
    if (!isOurs) return this.#end('fenced')
    this.#held = this.#nonce
    this.#hasHeard = true
    this.#isNewlyTaken = true
    this.#parser.expect(tagOf(this.#nonce))
    const session = new Session(this.#nonce, 'server', this.#options.checksum, {
      wake: () => this.#options.events.wake(),
      stream: (opening, stream) => this.#options.events.stream(opening, stream),
      lost: () => this.#takeAnew(),
    })
    this.#state = { state: 'taken', session, pingedAt: this.#now }
  }

  /** Frames were lost: every stream may miss some, so all of them end and the link begins again. */
  #takeAnew(): void {
    const { state } = this.#state
    if (state === 'ended') return
    this.#breaks = [...this.#breaks.filter((at) => this.#now - at < BREAKS_WITHIN_MS), this.#now]
    if (this.#breaks.length > MAX_BREAKS) return this.#end('broken')
    const lost = this.session
    this.#parser.expect(null)
    this.#isNewlyTaken = false
    this.#nonce = this.#options.nonce()
    this.#state = { state: 'taking', since: this.#now, isDue: true, saidAt: this.#now }
    lost?.lose()
    this.#options.events.wake()
  }

  #end(why: LinkEnd): void {
    if (this.#state.state === 'ended') return
    const lost = this.session
    this.#state = { state: 'ended' }
    this.#parser.expect(null)
    lost?.lose()
    this.#options.events.ended(why)
  }
}
