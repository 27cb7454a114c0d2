import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The lost part: the answer to a request that Docker has carried out, or the second half of that answer. */
export type Loss = 'answer' | 'half of the answer'

/** The next `times` requests whose first line matches lose their answer. */
type Losing = { requests: RegExp; loss: Loss; times: number }

/** Sits between a client and Docker's socket, and breaks every connection on demand, or one at its answer. */
export class Gate {
  readonly dockerHost: string
  cuts = 0
  readonly #losing: Losing[]
  readonly #server: Server
  readonly #open: Set<Socket>
  readonly #folder: string

  private constructor(server: Server, open: Set<Socket>, folder: string, losing: Losing[]) {
    this.#losing = losing
    this.dockerHost = `unix://${join(folder, 'gate.sock')}`
    this.#server = server
    this.#open = open
    this.#folder = folder
  }

  static async before(env: Record<string, string | undefined>): Promise<Gate> {
    const real = (env['DOCKER_HOST'] ?? '/var/run/docker.sock').replace(/^unix:\/\//, '')
    const folder = await mkdtemp(join(tmpdir(), 'bl-gate-'))
    const open = new Set<Socket>()
    const losing: Losing[] = []
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
        if (socket === client) socket.pipe(other)
      }
      let loss: Loss | null = null
      client.on('data', (bytes: Buffer) => {
        const [line = ''] = bytes.toString('latin1', 0, 500).split('\r\n')
        const found = losing.find(({ requests, times }) => times > 0 && requests.test(line))
        if (!found) return
        found.times--
        loss = found.loss
      })
      docker.on('data', (bytes: Buffer) => {
        if (loss === null) return void (client.write(bytes) || docker.pause())
        const half = bytes.subarray(0, bytes.length - 3)
        if (loss === 'answer') return void client.destroy()
        client.write(half, () => client.destroy())
      })
      client.on('drain', () => docker.resume())
      docker.on('end', () => client.end())
    })
    await new Promise<void>((resolve) => server.listen(join(folder, 'gate.sock'), resolve))
    return new Gate(server, open, folder, losing)
  }

  /**
   * Docker carries out the next requests whose first line matches ("POST /containers/create…"), but their answers are
   * lost.
   */
  lose(requests: RegExp, loss: Loss = 'answer', times = 1): void {
    this.#losing.push({ requests, loss, times })
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
