import type { Checksum } from './checksum.ts'
import { FrameParser } from './frame-parser.ts'
import type { Frame } from './frame.ts'
import { putPreamble, type Preamble } from './preamble.ts'
import type { Tenure } from './tenure.ts'

export type CarrierEvents = {
  /** There may be something to take. */
  wake(): void
  /** It was replaced: close it after the taken bytes have been written. */
  drop(): void
}

/** A carrier's calls to the container's end. */
export type CarrierDesk = {
  frame(frame: Frame): void
  syn(preamble: Preamble): void
  broken(): void
  /** All received bytes have been read. */
  read(): void
  /** The tenure if this carrier has the link. */
  tenure(): Tenure | null
  closed(): void
}

type CarrierKeys = { magic: Uint8Array; checksum: Checksum }

/** One carrier over which a server may connect. */
export class ContainerCarrier {
  readonly #parser: FrameParser
  readonly #desk: CarrierDesk
  readonly #events: CarrierEvents
  readonly #keys: CarrierKeys
  /** The last answer that is due. Another server whose answer it replaces gets one when it asks again. */
  #answer: { nonce: Uint8Array; other: Uint8Array } | null = null
  #isDropped = false
  #isClosed = false

  constructor(keys: CarrierKeys, events: CarrierEvents, desk: CarrierDesk) {
    this.#keys = keys
    this.#desk = desk
    this.#events = events
    this.#parser = new FrameParser(keys.magic, keys.checksum, {
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

  /** Fills `into`, which is at least as long as the largest frame. Returns the number of bytes. */
  take(into: Uint8Array): number {
    if (this.#isClosed) return 0
    let end = 0
    if (this.#answer) {
      const { magic, checksum } = this.#keys
      end = putPreamble(into, 0, magic, { kind: 'ack', ...this.#answer }, checksum)
      this.#answer = null
    }
    const tenure = this.#desk.tenure()
    if (tenure) end = tenure.take(into, end)
    this.#desk.read()
    return end
  }

  get hasMore(): boolean {
    return !this.#isClosed && (this.#answer !== null || (this.#desk.tenure()?.hasMore ?? false))
  }

  /** The carrier has ended. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#desk.closed()
  }

  /* Only for the container's end. */

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
