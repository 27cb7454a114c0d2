import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request, type IncomingMessage, type RequestOptions, type Server } from 'node:http'
import { createServer, type Server as NetServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LinkEnd } from '@beadloom/core/link/server-end.ts'
import { CarriedLink, type Carrier } from '../../../apps/server/src/link/carried-link.ts'
import { systemClock } from '../../../apps/server/src/process/clock.ts'

export type Transport = 'a socket' | 'standard streams'

/** A server's side of a link: a new `CarriedLink` for every carrier that connects. */
export class LinkedServer {
  readonly seen: ('taken' | LinkEnd)[] = []
  readonly http: Server
  link: CarriedLink | null = null
  carrier: Carrier | null = null
  onTaken: (link: CarriedLink) => void = () => {}
  readonly #magic: Buffer
  #held: Uint8Array | null = null
  #tell: (() => void)[] = []

  constructor(magic: Buffer, http: Server) {
    this.#magic = magic
    this.http = http
  }

  take(carrier: Carrier): void {
    this.carrier = carrier
    const link = new CarriedLink(carrier, {
      magic: this.#magic,
      before: this.#held,
      clock: systemClock,
      handlers: {
        taken: () => {
          this.link = link
          this.#note('taken')
          this.onTaken(link)
        },
        stream: ({ kind, stream }) => {
          if (kind !== 'http') throw new Error(`no ${kind} here`)
          this.http.emit('connection', stream)
        },
        ended: (why) => {
          this.#held = link.held
          this.#note(why)
        },
      },
    })
  }

  /** Resolves once this many things have happened to it. */
  async saw(count: number): Promise<void> {
    while (this.seen.length < count) await new Promise<void>((resolve) => this.#tell.push(resolve))
  }

  #note(what: 'taken' | LinkEnd): void {
    this.seen.push(what)
    for (const tell of this.#tell.splice(0)) tell()
  }
}

/** A process in place of a container's supervisor, and servers with a link to it. */
export class LinkedSandbox {
  readonly folder = mkdtempSync(join(tmpdir(), 'bl-link-'))
  readonly clients = join(this.folder, 'clients.sock')
  readonly agent: Agent
  readonly #magic = randomBytes(16)
  readonly #listening: NetServer[] = []
  readonly #sockets = new Set<Socket>()
  supervisor: ChildProcess | null = null

  constructor() {
    this.agent = new Agent({ keepAlive: true, maxSockets: 64 })
  }

  server(http: Server): LinkedServer {
    return new LinkedServer(this.#magic, http)
  }

  /** Starts the supervisor. Over sockets, each server has its own. */
  async start(transport: Transport, servers: LinkedServer[], outputBytes = 0): Promise<void> {
    const paths = transport === 'a socket' ? await Promise.all(servers.map((one, at) => this.#listen(one, at))) : ['-']
    const program = join(import.meta.dirname, 'supervisor.ts')
    const args = [program, this.#magic.toString('hex'), paths.join(','), this.clients, String(outputBytes)]
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'pipe'] })
    this.supervisor = child
    if (transport === 'standard streams') servers[0]!.take({ input: child.stdout, output: child.stdin })
    await once(child.stderr, 'data')
    child.stderr.pipe(process.stderr)
    await servers[0]!.saw(1)
  }

  /** Sends a request as a client in the container. */
  async ask(options: RequestOptions = {}, body?: string | Buffer): Promise<{ status: number; text: string }> {
    const response = await this.response(options, body)
    const pieces: Buffer[] = []
    for await (const piece of response) pieces.push(piece as Buffer)
    return { status: response.statusCode ?? 0, text: Buffer.concat(pieces).toString('latin1') }
  }

  async response(options: RequestOptions = {}, body?: string | Buffer): Promise<IncomingMessage> {
    const asking = request({ socketPath: this.clients, agent: this.agent, ...options })
    asking.end(body)
    const [response] = (await once(asking, 'response')) as [IncomingMessage]
    return response
  }

  async close(): Promise<void> {
    this.agent.destroy()
    for (const server of this.#listening) server.close()
    for (const socket of this.#sockets) socket.destroy()
    if (this.supervisor && this.supervisor.exitCode === null && this.supervisor.signalCode === null) {
      const gone = once(this.supervisor, 'exit')
      this.supervisor.kill('SIGKILL')
      await gone
    }
    rmSync(this.folder, { recursive: true, force: true })
  }

  async #listen(server: LinkedServer, at: number): Promise<string> {
    const path = join(this.folder, `server-${at}.sock`)
    const listening = createServer({ allowHalfOpen: true }, (socket) => {
      this.#sockets.add(socket)
      socket.once('close', () => this.#sockets.delete(socket))
      server.take({ input: socket, output: socket })
    })
    this.#listening.push(listening)
    await new Promise<void>((resolve) => listening.listen(path, resolve))
    return path
  }
}
