import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The bare proxy in its own process, as the server is. */
export class ProxyProcess {
  readonly socketPath: string
  #child: ChildProcess

  private constructor(child: ChildProcess, socketPath: string) {
    this.#child = child
    this.socketPath = socketPath
  }

  static async start(to: string): Promise<ProxyProcess> {
    const socketPath = join(tmpdir(), `bl-bench-${process.pid}.sock`)
    const command = [join(import.meta.dirname, 'bare-proxy.ts'), socketPath, to]
    const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'inherit'] })
    await once(child.stdout, 'data')
    return new ProxyProcess(child, socketPath)
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  async stop(): Promise<void> {
    const gone = once(this.#child, 'exit')
    this.#child.kill()
    await gone
    rmSync(this.socketPath, { force: true })
  }
}
