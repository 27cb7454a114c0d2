import { mkdtempSync } from 'node:fs'
import { createServer, connect, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A Unix socket between the server and the real Docker, which a test can shut: Docker dies, as far as the server sees. */
export class DockerGate {
  readonly host: string
  #path: string
  #server: Server | null = null
  #sockets = new Set<Socket>()
  #hangs = false
  /** Requests whose first line has this are answered with an error instead of by Docker. */
  refuses: RegExp | null = null
  /** The first request whose first line has this is the last one: Docker dies with it. */
  diesAt: RegExp | null = null
  readonly #engine: string

  /** `engine`: the socket of the real one. */
  constructor(engine = '/var/run/docker.sock') {
    this.#engine = engine
    this.#path = join(mkdtempSync(join(tmpdir(), 'gate-')), 'docker.sock')
    this.host = `unix://${this.#path}`
  }

  open(): Promise<void> {
    const server = createServer({ allowHalfOpen: true }, (client) => {
      const daemon = connect({ path: this.#engine, allowHalfOpen: true })
      for (const socket of [client, daemon]) {
        this.#sockets.add(socket)
        socket.on('error', () => {})
        socket.on('close', () => {
          this.#sockets.delete(socket)
          client.destroy()
          daemon.destroy()
        })
      }
      client.on('data', (bytes: Buffer) => {
        const [line = ''] = bytes.toString('latin1', 0, 500).split('\r\n')
        if (this.diesAt?.test(line)) {
          this.diesAt = null
          return void this.shut()
        }
        if (!this.refuses?.test(line)) return void daemon.write(bytes)
        const body = '{"message":"not today"}'
        client.write(
          `HTTP/1.1 500 Internal Server Error\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
        )
      })
      client.on('end', () => daemon.end())
      daemon.pipe(client)
      if (this.#hangs) for (const socket of [client, daemon]) socket.pause()
    })
    this.#server = server
    return new Promise((resolve) => server.listen(this.#path, resolve))
  }

  /** Nothing passes any more, and nobody is told: a daemon or a network that hangs. Until `passes`. */
  hang(): void {
    this.#hangs = true
    for (const socket of this.#sockets) socket.pause()
  }

  passes(): void {
    this.#hangs = false
    for (const socket of this.#sockets) socket.resume()
  }

  /** Every connection breaks and new ones are refused. */
  async shut(): Promise<void> {
    const closed = new Promise<void>((resolve) => (this.#server ? this.#server.close(() => resolve()) : resolve()))
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }
}
