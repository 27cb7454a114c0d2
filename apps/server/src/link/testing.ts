import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../process/clock.ts'
import type { LinkBounds } from './link-bounds.ts'
import { Requests } from './requests.ts'

/** `Requests` for tests: connections come through a socket instead of the link's streams. */
export class OpenRequests {
  readonly requests: Requests
  readonly #folder: string
  readonly #server: Server

  private constructor(requests: Requests, folder: string) {
    this.requests = requests
    this.#folder = folder
    this.#server = createServer({ allowHalfOpen: true }, (socket) => {
      socket.on('error', () => {})
      requests.take(socket)
    })
  }

  get socketPath(): string {
    return join(this.#folder, 'requests.sock')
  }

  static async open(bounds: Partial<LinkBounds> = {}): Promise<OpenRequests> {
    const opened = new OpenRequests(new Requests(systemClock, bounds), mkdtempSync(join(tmpdir(), 'link-')))
    await new Promise<void>((resolve) => opened.#server.listen(opened.socketPath, resolve))
    return opened
  }

  async close(): Promise<void> {
    this.requests.close()
    await new Promise<void>((resolve) => this.#server.close(() => resolve()))
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
