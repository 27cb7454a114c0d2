import { Socket } from 'node:net'
import type { Duplex, Readable, Writable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { CarrierPump } from '@beadloom/core/link/carrier-pump.ts'
import { ContainerEnd } from '@beadloom/core/link/container-end.ts'
import type { Header, StreamKind, TakeStream } from '@beadloom/core/link/incoming-stream.ts'
import type { LinkStream } from '@beadloom/core/link/link-stream.ts'
import { feedFrom } from '@beadloom/core/link/spool-feed.ts'
import type { FindSpool } from '@beadloom/core/link/spool.ts'
import type { Opening } from '@beadloom/core/link/stream-header.ts'
import { LinkDuplex } from './link-duplex.ts'

/** A way to a server: a socket for both directions, or an engine's exec with standard input and output. */
export type Carrier = {
  input: Readable
  output: Writable
  /** The process in this container that holds it open, if any: it has to outlive sessions. */
  pid?: number
  /** Called when the carrier is no longer used. */
  over?: () => void
}

export type SupervisorLinkOptions = {
  /** 16 bytes that this container and its servers know. */
  magic: Uint8Array
  take: TakeStream<Duplex>
  spools: FindSpool
}

/** The container's end of the link: carriers in, streams out. */
export class SupervisorLink {
  readonly #end: ContainerEnd
  readonly #take: TakeStream<Duplex>
  readonly #carriers = new Set<Carrier>()
  #waiting: (() => void)[] = []

  constructor({ magic, take, spools }: SupervisorLinkOptions) {
    this.#take = take
    this.#end = new ContainerEnd({
      magic,
      checksum: crc32,
      events: {
        taken: () => {
          for (const tell of this.#waiting.splice(0)) tell()
        },
        lost: () => {},
        stream: (opening, stream) => this.#handOut(opening, stream),
        output: (sender) => feedFrom(spools, sender),
      },
    })
  }

  /**
   * May be called any number of times. The last server to connect has the link; the carrier that it replaces is closed.
   */
  attach(carrier: Carrier): void {
    const { input, output } = carrier
    const close = () => {
      if (!this.#carriers.delete(carrier)) return
      pump.stop()
      end.close()
      input.destroy()
      output.destroy()
      carrier.over?.()
    }
    const end = this.#end.attach({
      wake: () => pump.wake(),
      drop: () => {
        isDropped = true
        pump.wake()
      },
    })
    let isDropped = false
    const pump = new CarrierPump(
      (into) => {
        const length = end.take(into)
        if (length === 0 && isDropped) output.end(close) // its server knows now that it is fenced
        return length
      },
      (bytes, written) => output.write(bytesFor(output, bytes), (error) => !error && written()),
    )
    this.#carriers.add(carrier)
    for (const stream of new Set([input, output])) stream.on('error', close).on('close', close)
    input.on('end', close)
    input.on('data', (bytes: Buffer) => end.receive(bytes))
  }

  /** Whether a server has the link now. */
  get isTaken(): boolean {
    return this.#end.isTaken
  }

  /** Resolves when a server has the link, or `signal` aborts. */
  async whenTaken(signal?: AbortSignal): Promise<void> {
    if (this.isTaken || signal?.aborted) return
    await new Promise<void>((resolve) => {
      const done = () => {
        signal?.removeEventListener('abort', done)
        this.#waiting = this.#waiting.filter((one) => one !== done)
        resolve()
      }
      this.#waiting.push(done)
      signal?.addEventListener('abort', done, { once: true })
    })
  }

  /** A stream to the server; null while no server has the link. Throws when the header is too large. */
  open(kind: StreamKind, header: Header): Duplex | null {
    const stream = this.#end.open({ kind, header })
    return stream && new LinkDuplex(stream)
  }

  /** The pids of carriers that are processes in this container: a session's end must spare them. */
  carrierPids(): number[] {
    return [...this.#carriers].flatMap(({ pid }) => (pid === undefined ? [] : [pid]))
  }

  close(): void {
    for (const { input, output } of this.#carriers) {
      input.destroy()
      output.destroy()
    }
  }

  #handOut({ kind, header }: Opening, stream: LinkStream): void {
    const duplex = new LinkDuplex(stream)
    duplex.on('error', () => {}) // 'close' follows; a user who wants to know why also listens
    try {
      this.#take({ kind, header, stream: duplex })
    } catch {
      stream.reset('refused')
      duplex.destroy()
    }
  }
}

/**
 * A socket has passed the bytes on when it reports the write. Any other stream may still hold them, so it gets a copy.
 */
function bytesFor(output: Writable, bytes: Uint8Array): Uint8Array {
  return output instanceof Socket ? bytes : Buffer.from(bytes)
}
