import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LINK_PORT } from '@beadloom/core/execution/session-order.ts'

/** A socket on this machine that leads to the link as a program in a container sees it. Needs root. */
export class LinkRelay {
  readonly socketPath: string
  readonly #folder: string
  readonly #process: ChildProcess

  private constructor(folder: string, socketPath: string, process: ChildProcess) {
    this.#folder = folder
    this.socketPath = socketPath
    this.#process = process
  }

  /** @param pid a process of the container, as this machine knows it */
  static async start(pid: number): Promise<LinkRelay> {
    const folder = mkdtempSync(join(tmpdir(), 'bl-relay-'))
    const socketPath = join(folder, 'relay.sock')
    const relay = join(import.meta.dirname, 'relay.ts')
    const args = [`--net=/proc/${pid}/ns/net`, process.execPath, relay, socketPath, String(LINK_PORT)]
    const child = spawn('nsenter', args, { stdio: ['ignore', 'pipe', 'inherit'] })
    await once(child.stdout, 'data')
    return new LinkRelay(folder, socketPath, child)
  }

  stop(): void {
    this.#process.kill('SIGKILL')
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
