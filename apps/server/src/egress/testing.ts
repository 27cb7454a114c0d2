import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import type { EgressNote } from '../ports/store/egress.ts'
import type { EgressDoor } from '../ports/egress.ts'
import { systemClock, type Clock } from '../process/clock.ts'
import type { ExecutionId, ProjectId } from '@beadloom/core/records/ids.ts'
import { createEgress } from './create-egress.ts'
import type { EgressBounds } from './egress-bounds.ts'
import type { ResolveName } from './resolve-name.ts'

export type TestDoorOptions = {
  allow?: string[]
  resolve?: ResolveName
  isPublic?: (address: string) => boolean
  bounds?: Partial<EgressBounds>
  clock?: Clock
}

/** A way out whose sandbox is a port of the loopback, and whose internet is 127.0.0.1. */
export class TestDoor {
  readonly notes: EgressNote[] = []
  readonly door: EgressDoor
  readonly #egress
  readonly #server: Server
  readonly #sockets = new Set<Socket>()

  constructor({
    allow = [],
    resolve = async () => ['127.0.0.1'],
    isPublic = () => true,
    bounds = {},
    clock = systemClock,
  }: TestDoorOptions) {
    // prettier-ignore
    const store = { noteEgress: async (_: ProjectId, __: ExecutionId, notes: readonly EgressNote[]) => void this.notes.push(...notes) } // prettier-ignore
    const report = (error: unknown): void => {
      throw error
    }
    this.#egress = createEgress({ store, clock, report, resolve, isPublic, bounds })
    this.door = this.#egress.open({ project: 'demo' as ProjectId, owner: 'ex-0000000001' as ExecutionId, allow })
    this.#server = createServer({ allowHalfOpen: true }, (socket) => this.door.take(socket))
  }

  async listen(): Promise<this> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return this
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  /** Connects like a process in the sandbox. */
  connect(): Socket {
    const socket = connect({ port: this.port, host: '127.0.0.1' })
    this.#sockets.add(socket)
    socket.on('error', () => {})
    return socket
  }

  /** Sends these bytes and reads until the connection ends. */
  async say(bytes: string): Promise<string> {
    const socket = this.connect()
    socket.write(bytes)
    return textOf(socket)
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    this.#server.close()
    await this.#egress.close()
  }

  /** The ledger: `host:port outcome count`, sorted. */
  async ledger(): Promise<string[]> {
    await this.#egress.close()
    const sums = new Map<string, number>()
    for (const { host, port, outcome, count } of this.notes) {
      const key = `${host}:${port} ${outcome}`
      sums.set(key, (sums.get(key) ?? 0) + count)
    }
    return [...sums].map(([key, count]) => `${key} ${count}`).toSorted()
  }
}

/** Reads everything until the end. */
export async function textOf(socket: Socket): Promise<string> {
  let text = ''
  socket.on('data', (bytes: Buffer) => (text += bytes.toString('latin1')))
  await new Promise<void>((resolve) => {
    socket.once('end', resolve)
    socket.once('close', () => resolve())
  })
  socket.destroy()
  return text
}

/** Starts a host outside. */
export async function outside(serve: (socket: Socket) => void): Promise<{ port: number; close: () => void }> {
  const sockets = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    serve(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = (): void => {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
  return { port: (server.address() as AddressInfo).port, close }
}
