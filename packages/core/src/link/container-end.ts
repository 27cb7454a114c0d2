import type { Checksum } from './checksum.ts'
import { FrameParser } from './frame-parser.ts'
import type { LinkStream } from './link-stream.ts'
import type { OutputSender } from './output-sender.ts'
import { isSame, NOBODY, putPreamble, tagOf, type Preamble } from './preamble.ts'
import { Session } from './session.ts'
import type { Opening } from './stream-header.ts'

/** Servers whose repeated preambles are known to be old. */
const REMEMBERED_NONCES = 64
/** An engine that starts one relay after the other, none of which brings a server, fills no memory. */
export const MAX_CARRIERS = 8

export type ContainerEndEvents = {
  /** A server has the link, perhaps a new one: streams of the one before have ended. */
  taken(): void
  /** No server has a carrier to this container any more. */
  lost(): void
  /** The server has opened a stream. */
  stream(opening: Opening, stream: LinkStream): void
  /** The server wants an output. */
  output(sender: OutputSender): void
}

export type CarrierEvents = {
  /** There may be something to take. */
  wake(): void
  /** It was replaced: close it after what was taken from it has been written. */
  drop(): void
}

export type ContainerEndOptions = { magic: Uint8Array; checksum: Checksum; events: ContainerEndEvents }

type Owner = { nonce: Uint8Array; carrier: ContainerCarrier; session: Session; hasSpoken: boolean }

/** The container's end of a link: any number of carriers, of which the last one to bring a new server has the link. */
export class ContainerEnd {
  readonly #options: ContainerEndOptions
  /** Whoever has the link, also while its carrier is gone. */
  #nonce: Uint8Array | null = null
  #owner: Owner | null = null
  #past: Uint8Array[] = []
  readonly #carriers: ContainerCarrier[] = []
  #isNewlyTaken = false

  constructor(options: ContainerEndOptions) {
    this.#options = options
  }

  attach(events: CarrierEvents): ContainerCarrier {
    const carrier = new ContainerCarrier(this.#options, events, {
      frame: (frame) => this.#frame(carrier, frame),
      syn: (preamble) => this.#asked(carrier, preamble),
      broken: () => carrier === this.#owner?.carrier && this.#owner.session.sayLost(),
      read: () => this.#tell(),
      session: () => (this.#owner?.carrier === carrier ? this.#owner.session : null),
      closed: () => this.#closed(carrier),
    })
    this.#carriers.push(carrier)
    const idle = this.#carriers.find((one) => one !== this.#owner?.carrier)
    if (idle && this.#carriers.length > MAX_CARRIERS) this.#drop(idle)
    return carrier
  }

  get isTaken(): boolean {
    return this.#owner !== null
  }

  /** Null: no server has the link now. */
  open(opening: Opening): LinkStream | null {
    return this.#owner?.session.open(opening) ?? null
  }

  #frame(carrier: ContainerCarrier, frame: Parameters<Session['receive']>[0]): void {
    const owner = this.#owner
    if (owner?.carrier !== carrier) return
    owner.hasSpoken = true
    if (owner.session.receive(frame) === null) return
    carrier.expect(null)
    owner.session.sayLost()
  }

  /** The last one wins, unless it says that it had the link before and somebody else has taken it since. */
  #asked(carrier: ContainerCarrier, { nonce, other }: Preamble): void {
    const current = this.#nonce
    if (current && isSame(nonce, current)) {
      if (this.#owner?.carrier !== carrier) this.#take(carrier, nonce)
      else if (!this.#owner.hasSpoken) carrier.answer(nonce, nonce) // it was repeated before it was answered
      return
    }
    const isLate = current !== null && !isSame(other, NOBODY) && !isSame(other, current)
    if (current && (isLate || this.#past.some((one) => isSame(one, nonce)))) return carrier.answer(current, nonce)
    this.#take(carrier, nonce)
  }

  #take(carrier: ContainerCarrier, nonce: Uint8Array): void {
    const [before, old] = [this.#owner, this.#nonce]
    if (old && !isSame(old, nonce)) this.#past = [...this.#past.slice(1 - REMEMBERED_NONCES), old]
    const { checksum, events } = this.#options
    const session = new Session(nonce, 'container', checksum, {
      wake: () => carrier.wake(),
      stream: (opening, stream) => events.stream(opening, stream),
      output: (sender) => events.output(sender),
    })
    this.#nonce = nonce
    this.#owner = { nonce, carrier, session, hasSpoken: false }
    this.#isNewlyTaken = true
    carrier.expect(tagOf(nonce))
    carrier.answer(nonce, nonce)
    before?.session.lose()
    if (!before || before.carrier === carrier) return
    before.carrier.expect(null)
    before.carrier.answer(nonce, before.nonce) // tells it that it is fenced
    this.#drop(before.carrier)
  }

  /** It gets its last answer, and is heard no more. */
  #drop(carrier: ContainerCarrier): void {
    this.#carriers.splice(this.#carriers.indexOf(carrier), 1)
    carrier.drop()
  }

  #tell(): void {
    if (this.#isNewlyTaken) {
      this.#isNewlyTaken = false
      this.#options.events.taken()
    }
    this.#owner?.session.tell()
  }

  #closed(carrier: ContainerCarrier): void {
    const at = this.#carriers.indexOf(carrier)
    if (at >= 0) this.#carriers.splice(at, 1)
    if (this.#owner?.carrier !== carrier) return
    const { session } = this.#owner
    this.#owner = null
    this.#isNewlyTaken = false
    session.lose()
    this.#options.events.lost()
  }
}

type CarrierDesk = {
  frame(frame: Parameters<Session['receive']>[0]): void
  syn(preamble: Preamble): void
  broken(): void
  /** Everything that came has been read. */
  read(): void
  /** The session if this carrier has the link. */
  session(): Session | null
  closed(): void
}

/** One way on which a server may come. */
export class ContainerCarrier {
  readonly #parser: FrameParser
  readonly #desk: CarrierDesk
  readonly #events: CarrierEvents
  readonly #options: ContainerEndOptions
  /** The last answer that is due. An earlier one to another server is made up for when that one asks again. */
  #answer: { nonce: Uint8Array; other: Uint8Array } | null = null
  #isDropped = false
  #isClosed = false

  constructor(options: ContainerEndOptions, events: CarrierEvents, desk: CarrierDesk) {
    this.#options = options
    this.#desk = desk
    this.#events = events
    this.#parser = new FrameParser(options.magic, options.checksum, {
      frame: desk.frame,
      preamble: (preamble) => preamble.kind === 'syn' && desk.syn(preamble),
      broken: desk.broken,
    })
  }

  receive(bytes: Uint8Array): void {
    if (this.#isClosed || this.#isDropped) return
    this.#parser.receive(bytes)
    this.#desk.read()
  }

  /** Fills `into`, which is at least as long as the largest frame. Returns how many bytes it is. */
  take(into: Uint8Array): number {
    if (this.#isClosed) return 0
    let end = 0
    if (this.#answer) {
      const { magic, checksum } = this.#options
      end = putPreamble(into, 0, magic, { kind: 'ack', ...this.#answer }, checksum)
      this.#answer = null
    }
    const session = this.#desk.session()
    if (session) end = session.take(into, end)
    this.#desk.read()
    return end
  }

  get hasMore(): boolean {
    return !this.#isClosed && (this.#answer !== null || (this.#desk.session()?.hasMore ?? false))
  }

  /** The carrier has ended. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#desk.closed()
  }

  /* For the container's end alone. */

  expect(tag: Uint8Array | null): void {
    this.#parser.expect(tag)
  }

  answer(nonce: Uint8Array, other: Uint8Array): void {
    this.#answer = { nonce, other }
    this.#events.wake()
  }

  wake(): void {
    this.#events.wake()
  }

  drop(): void {
    this.#isDropped = true
    this.#events.drop()
  }
}
