import { chmod, mkdir, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import type { Carrier } from './carried-link.ts'

/** The longest path that a Unix socket may have on Linux, without the closing zero byte. */
const MAX_SOCKET_PATH = 107
/** The supervisor uses one. Anybody else in the sandbox may connect, too, and is sent away again. */
const MOST_CONNECTIONS = 8

/** A Unix socket in a folder that is mounted into a sandbox. The supervisor connects to the server through it. */
export class LinkDoor {
  readonly #server: Server

  private constructor(server: Server) {
    this.#server = server
  }

  /** @param come called with each connection */
  static async open(folder: string, come: (carrier: Carrier) => void): Promise<LinkDoor> {
    const path = join(folder, 'link.sock')
    if (Buffer.byteLength(path) > MAX_SOCKET_PATH) {
      throw new Error(`the path ${path} is too long for a Unix socket: choose a data folder with a shorter path`)
    }
    const server = createServer({ noDelay: true }, (socket) => {
      socket.on('error', () => {}) // 'close' follows
      come({ input: socket, output: socket })
    })
    server.maxConnections = MOST_CONNECTIONS
    await mkdir(folder, { recursive: true, mode: 0o755 })
    await rm(path, { force: true }) // left by a server that was killed
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(path, resolve)
    })
    server.on('error', () => {}) // no descriptor for the next connection: the supervisor tries again
    // The supervisor has another user id than we do; access to the socket is limited by the folder's parent.
    await chmod(folder, 0o755)
    await chmod(path, 0o666)
    return new LinkDoor(server)
  }

  /** Accepts no more connections. The folder stays: the next server puts its own socket there. */
  close(): void {
    this.#server.close()
  }
}
