import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Stands between a client and Docker's socket, and breaks every connection when it is told to. */
export class Gate {
  readonly dockerHost: string
  cuts = 0
  readonly #server: Server
  readonly #open: Set<Socket>
  readonly #folder: string

  private constructor(server: Server, open: Set<Socket>, folder: string) {
    this.dockerHost = `unix://${join(folder, 'gate.sock')}`
    this.#server = server
    this.#open = open
    this.#folder = folder
  }

  static async before(env: Record<string, string | undefined>): Promise<Gate> {
    const real = (env['DOCKER_HOST'] ?? '/var/run/docker.sock').replace(/^unix:\/\//, '')
    const folder = await mkdtemp(join(tmpdir(), 'bl-gate-'))
    const open = new Set<Socket>()
    const server = createServer({ allowHalfOpen: true }, (client) => {
      const docker = connect({ path: real, allowHalfOpen: true })
      for (const [socket, other] of [
        [client, docker],
        [docker, client],
      ] as const) {
        open.add(socket)
        socket.on('error', () => {})
        socket.on('close', () => {
          open.delete(socket)
          other.destroy()
        })
        socket.pipe(other)
      }
    })
    await new Promise<void>((resolve) => server.listen(join(folder, 'gate.sock'), resolve))
    return new Gate(server, open, folder)
  }

  cut(): void {
    this.cuts++
    for (const socket of this.#open) socket.destroy()
  }

  async close(): Promise<void> {
    this.cut()
    await new Promise((resolve) => this.#server.close(resolve))
    await rm(this.#folder, { recursive: true, force: true })
  }
}
