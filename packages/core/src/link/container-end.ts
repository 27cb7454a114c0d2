import type { Checksum } from './checksum.ts'
import { ContainerCarrier, type CarrierEvents } from './container-carrier.ts'
import type { Frame } from './frame.ts'
import type { LinkStream } from './link-stream.ts'
import type { OutputSender } from './output-sender.ts'
import { isSame, NOBODY, tagOf, type Preamble } from './preamble.ts'
import { Tenure } from './tenure.ts'
import type { Opening } from './stream-header.ts'

/** The number of former servers whose repeated preambles are known to be old. */
const REMEMBERED_NONCES = 64
/** A limit, so that an engine that starts one relay after another without a server does not fill the memory. */
export const MAX_CARRIERS = 8

export type ContainerEndEvents = {
  /** A server has the link, perhaps a new one: streams of the previous one have ended. */
  taken(): void
  /** No server has a carrier to this container any more. */
  lost(): void
  /** The server has opened a stream. */
  stream(opening: Opening, stream: LinkStream): void
  /** The server wants an output. */
  output(sender: OutputSender): void
}

export type ContainerEndOptions = { magic: Uint8Array; checksum: Checksum; events: ContainerEndEvents }

type Owner = { nonce: Uint8Array; carrier: ContainerCarrier; tenure: Tenure; hasSpoken: boolean }

/** The container's end of a link: any number of carriers; the last one that brought a new server has the link. */
export class ContainerEnd {
  readonly #options: ContainerEndOptions
  /** The nonce of the server with the link, also while its carrier is gone. */
  #nonce: Uint8Array | null = null
  #owner: Owner | null = null
  /**
   * The nonces of the same server's uninterrupted hold: it may not have received the last answer before its carrier
   * broke.
   */
  #line: Uint8Array[] = []
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
      broken: () => carrier === this.#owner?.carrier && this.#owner.tenure.sayLost(),
      read: () => this.#tell(),
      tenure: () => (this.#owner?.carrier === carrier ? this.#owner.tenure : null),
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
    return this.#owner?.tenure.open(opening) ?? null
  }

  #frame(carrier: ContainerCarrier, frame: Frame): void {
    const owner = this.#owner
    if (owner?.carrier !== carrier) return
    owner.hasSpoken = true
    if (owner.tenure.receive(frame) === null) return
    carrier.expect(null)
    owner.tenure.sayLost()
  }

  /** The last server wins, unless it says that it had the link before and another server has taken it since. */
  #asked(carrier: ContainerCarrier, { nonce, other }: Preamble): void {
    const current = this.#nonce
    if (current && isSame(nonce, current)) {
      if (this.#owner?.carrier !== carrier) this.#take(carrier, nonce)
      else if (!this.#owner.hasSpoken) carrier.answer(nonce, nonce) // repeated before it was answered
      return
    }
    const isLate = current !== null && !isSame(other, NOBODY) && !this.#line.some((one) => isSame(one, other))
    if (current && (isLate || this.#past.some((one) => isSame(one, nonce)))) return carrier.answer(current, nonce)
    const isSameServer = this.#line.some((one) => isSame(one, other))
    this.#line = isSameServer ? [...this.#line.slice(1 - REMEMBERED_NONCES), nonce] : [nonce]
    this.#take(carrier, nonce)
  }

  #take(carrier: ContainerCarrier, nonce: Uint8Array): void {
    const [before, old] = [this.#owner, this.#nonce]
    if (old && !isSame(old, nonce)) this.#past = [...this.#past.slice(1 - REMEMBERED_NONCES), old]
    const { checksum, events } = this.#options
    const tenure = new Tenure(nonce, 'container', checksum, {
      wake: () => carrier.wake(),
      stream: (opening, stream) => events.stream(opening, stream),
      output: (sender) => events.output(sender),
    })
    this.#nonce = nonce
    this.#owner = { nonce, carrier, tenure, hasSpoken: false }
    this.#isNewlyTaken = true
    carrier.expect(tagOf(nonce))
    carrier.answer(nonce, nonce)
    before?.tenure.lose()
    if (!before || before.carrier === carrier) return
    before.carrier.expect(null)
    before.carrier.answer(nonce, before.nonce) // tells it that it is fenced
    this.#drop(before.carrier)
  }

  /** The carrier gets its last answer, and is ignored from now on. */
  #drop(carrier: ContainerCarrier): void {
    this.#carriers.splice(this.#carriers.indexOf(carrier), 1)
    carrier.drop()
  }

  #tell(): void {
    if (this.#isNewlyTaken) {
      this.#isNewlyTaken = false
      this.#options.events.taken()
    }
    this.#owner?.tenure.tell()
  }

  #closed(carrier: ContainerCarrier): void {
    const at = this.#carriers.indexOf(carrier)
    if (at >= 0) this.#carriers.splice(at, 1)
    if (this.#owner?.carrier !== carrier) return
    const { tenure } = this.#owner
    this.#owner = null
    this.#isNewlyTaken = false
    tenure.lose()
    this.#options.events.lost()
  }
}
