import { randomBytes } from 'node:crypto'
import { Socket } from 'node:net'
import type { Duplex, Readable, Writable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { CarrierPump } from '@beadloom/core/link/carrier-pump.ts'
import type { Header, StreamKind, TakeStream } from '@beadloom/core/link/incoming-stream.ts'
import type { LinkStream } from '@beadloom/core/link/link-stream.ts'
import { OutputFollower, type OutputSink } from '@beadloom/core/link/output-follower.ts'
import { NONCE_BYTES } from '@beadloom/core/link/preamble.ts'
import { ServerEnd, type LinkEnd } from '@beadloom/core/link/server-end.ts'
import type { Opening } from '@beadloom/core/link/stream-header.ts'
import type { Clock } from '../process/clock.ts'
import { LinkDuplex } from './link-duplex.ts'

/**
 * A way to a container: a socket has both directions, an engine's exec has standard output and input.
 * `silentMs`: without a word for so long it counts as dead, if nothing else reports it (a node's cable); default: a
 * minute.
 */
export type Carrier = { input: Readable; output: Writable; silentMs?: number }

export type CarriedLinkHandlers = {
  /**
   * The link is ours: streams may be opened, outputs followed. Called again after a break, which has ended all streams.
   */
  taken(): void
  /** The container has opened a stream. A throw refuses it. */
  stream: TakeStream<LinkDuplex>
  /** Last of all. All streams have ended, and the carrier is closed. */
  ended(why: LinkEnd): void
}

export type CarriedLinkOptions = {
  /** The container's, 16 bytes. */
  magic: Uint8Array
  /** `held` of this process's link before it: a link that a newer server has is not taken from it. */
  before: Uint8Array | null
  clock: Clock
  handlers: CarriedLinkHandlers
}

/** The pause between checks of the link for silence and for frames to repeat. */
const TICK_MS = 250

/** The server's end of the link to one container, over one carrier. */
export class CarriedLink {
  readonly #carrier: Carrier
  readonly #end: ServerEnd
  readonly #pump: CarrierPump
  readonly #handlers: CarriedLinkHandlers
  readonly #over = new AbortController()

  constructor(carrier: Carrier, { magic, before, clock, handlers }: CarriedLinkOptions) {
    this.#carrier = carrier
    this.#handlers = handlers
    this.#end = new ServerEnd({
      magic,
      nonce: () => randomBytes(NONCE_BYTES),
      before,
      checksum: crc32,
      now: clock.monotonic(),
      ...(carrier.silentMs !== undefined && { silentMs: carrier.silentMs }),
      events: {
        wake: () => this.#pump.wake(),
        taken: () => handlers.taken(),
        stream: (opening, stream) => this.#handOut(opening, stream),
        ended: (why) => this.#ended(why),
      },
    })
    const { input, output } = carrier
    this.#pump = new CarrierPump(
      (into) => this.#end.take(into),
      (bytes, written) => output.write(bytesFor(output, bytes), (error) => !error && written()),
    )
    const close = () => this.#end.close()
    for (const stream of new Set([input, output])) stream.on('error', close).on('close', close)
    input.on('end', close)
    input.on('data', (bytes: Buffer) => this.#end.receive(bytes))
    void this.#watch(clock)
    this.#pump.wake()
  }

  /** Identifies our last hold of the link, for `before` of the next one. */
  get held(): Uint8Array | null {
    return this.#end.held
  }

  /** A stream to the container; null while the link is not ours. Throws when the header is too large. */
  open(kind: StreamKind, header: Header): Duplex | null {
    const stream = this.#end.open({ kind, header })
    return stream && new LinkDuplex(stream)
  }

  /** Records an output from an offset on; null while the link is not ours. */
  follow(spool: string, from: number, sink: OutputSink): OutputFollower | null {
    const receiver = this.#end.follow(spool, from)
    return receiver && new OutputFollower(receiver, sink)
  }

  /** Lets go of the container: its streams end, but nothing in it does. */
  close(): void {
    this.#end.close()
  }

  #handOut({ kind, header }: Opening, stream: LinkStream): void {
    const duplex = new LinkDuplex(stream)
    duplex.on('error', () => {}) // 'close' follows; to learn why, listen as well
    try {
      this.#handlers.stream({ kind, header, stream: duplex })
    } catch {
      stream.reset('refused')
      duplex.destroy()
    }
  }

  #ended(why: LinkEnd): void {
    this.#over.abort()
    this.#pump.stop()
    this.#carrier.input.destroy()
    this.#carrier.output.destroy()
    this.#handlers.ended(why)
  }

  async #watch(clock: Clock): Promise<void> {
    while (!this.#over.signal.aborted) {
      await clock.sleep(TICK_MS, this.#over.signal)
      this.#end.tick(clock.monotonic())
    }
  }
}

/** A socket that says so has passed the bytes on. Any other stream may still hold them, so it gets a copy. */
function bytesFor(output: Writable, bytes: Uint8Array): Uint8Array {
  return output instanceof Socket ? bytes : Buffer.from(bytes)
}
