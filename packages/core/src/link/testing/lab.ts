import { crc32 } from 'node:zlib'
import type { ContainerCarrier } from '../container-carrier.ts'
import { ContainerEnd, type ContainerEndEvents } from '../container-end.ts'
import { MAX_FRAME_BYTES } from '../frame.ts'
import { ServerEnd, type LinkEnd, type ServerEndEvents } from '../server-end.ts'
import { bytesFrom, joined } from './chance.ts'

export const magic = bytesFrom(1, 16)
export const nonceOf = (number: number): Uint8Array => bytesFrom(1000 + number, 16)

/** A container that notes what happens to it, and servers that take it. */
export class Lab {
  readonly container: ContainerEnd
  readonly seen: string[] = []
  #nonces = 0

  constructor(events: Partial<ContainerEndEvents> = {}) {
    this.container = new ContainerEnd({
      magic,
      checksum: crc32,
      events: {
        taken: () => this.seen.push('taken'),
        lost: () => this.seen.push('lost'),
        stream: () => {},
        output: () => {},
        ...events,
      },
    })
  }

  server(options: { events?: Partial<ServerEndEvents>; before?: Uint8Array | null; now?: number } = {}): Server {
    return new Server(() => nonceOf(++this.#nonces), options)
  }
}

export class Server {
  readonly end: ServerEnd
  readonly seen: ('taken' | LinkEnd)[] = []

  constructor(
    nonce: () => Uint8Array,
    {
      events = {},
      before = null,
      now = 0,
    }: { events?: Partial<ServerEndEvents>; before?: Uint8Array | null; now?: number },
  ) {
    this.end = new ServerEnd({
      magic,
      nonce,
      before,
      checksum: crc32,
      now,
      events: {
        wake: () => {},
        stream: () => {},
        ...events,
        taken: () => {
          this.seen.push('taken')
          events.taken?.()
        },
        ended: (why) => {
          this.seen.push(why)
          events.ended?.(why)
        },
      },
    })
  }
}

type Way = 'toServer' | 'toContainer'

/** Two queues of bytes between a server and the container. Nothing moves by itself. */
export class Wire {
  readonly server: ServerEnd
  readonly carrier: ContainerCarrier
  readonly inFlight: Record<Way, Uint8Array> = { toServer: new Uint8Array(), toContainer: new Uint8Array() }
  isDropped = false
  /** Called with bytes before their delivery; its result is delivered instead. */
  spoil: (way: Way, bytes: Uint8Array) => Uint8Array = (_, bytes) => bytes
  #isCut = false
  readonly #buffer = new Uint8Array(MAX_FRAME_BYTES)

  constructor(lab: Lab, server: Server) {
    this.server = server.end
    this.carrier = lab.container.attach({ wake: () => {}, drop: () => (this.isDropped = true) })
  }

  /** One round: both ends give at most `ahead` bytes, and up to `cut()` bytes arrive each way. True: something moved. */
  move(cut: () => number = () => Infinity, ahead = 2 * MAX_FRAME_BYTES): boolean {
    if (this.#isCut) return false
    const gave = [this.#give('toContainer', ahead), this.#give('toServer', ahead)]
    const arrived = [this.#deliver('toContainer', cut()), this.#deliver('toServer', cut())]
    return [...gave, ...arrived].some((moved) => moved)
  }

  /** The carrier breaks; what is on its way is lost. */
  cut(): void {
    if (this.#isCut) return
    this.#isCut = true
    this.server.close()
    this.carrier.close()
  }

  #give(way: Way, ahead: number): boolean {
    if (this.inFlight[way].length >= ahead) return false
    const length = (way === 'toContainer' ? this.server : this.carrier).take(this.#buffer)
    this.inFlight[way] = joined([this.inFlight[way], this.#buffer.subarray(0, length)])
    return length > 0
  }

  #deliver(way: Way, most: number): boolean {
    const bytes = this.inFlight[way].slice(0, Math.max(1, most))
    if (bytes.length === 0) return false
    this.inFlight[way] = this.inFlight[way].slice(bytes.length)
    const spoilt = this.spoil(way, bytes)
    if (spoilt.length > 0) (way === 'toContainer' ? this.carrier : this.server).receive(spoilt)
    return true
  }
}

/** Moves until nothing moves any more. */
export function settle(wires: readonly Wire[], cut?: () => number): void {
  for (let rounds = 0; wires.map((wire) => wire.move(cut)).some((moved) => moved); rounds++)
    if (rounds > 100_000) throw new Error('the wires never come to rest')
}

/** A server that has the link, over a wire of its own. */
export function taken(lab: Lab, options: Parameters<Lab['server']>[0] = {}): { server: Server; wire: Wire } {
  const server = lab.server(options)
  const wire = new Wire(lab, server)
  settle([wire])
  return { server, wire }
}
