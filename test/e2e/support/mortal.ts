import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { instanceOf } from '../../crash/stored.ts'
import { startedServer, type CommandLine } from '../../support/command-line.ts'
import { removeContainers } from '../../support/containers.ts'

/** A server as a process of its own, on a port that it keeps over its deaths. */
export class Mortal {
  readonly folder = mkdtempSync(join(tmpdir(), 'bl-mortal-'))
  url = ''
  token = ''
  #pid = 0
  #line: CommandLine | null = null

  get server(): { url: string; token: string } {
    return { url: this.url, token: this.token }
  }

  get pid(): number {
    return this.#pid
  }

  async start(): Promise<void> {
    const port = this.url === '' ? '0' : new URL(this.url).port
    const { line, up } = await startedServer(join(this.folder, 'data'), ['--port', port])
    this.url = up.url
    this.token = new URL(up.dashboard).searchParams.get('token') ?? ''
    this.#pid = up.pid
    this.#line = line
  }

  async kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    if (this.#line === null) return
    process.kill(this.#pid, signal)
    await this.#line.ended
    this.#line = null
  }

  async api<T>(method: string, path: string, body?: object): Promise<T> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`)
    return (await response.json()) as T
  }

  /** Ends it and removes everything that it made. */
  async remove(): Promise<void> {
    await this.kill('SIGTERM')
    removeContainers(instanceOf(join(this.folder, 'data')))
    rmSync(this.folder, { recursive: true, force: true })
  }

  /** Bytes of a session's log on the disk. */
  log(execution: string, number: number): Buffer {
    const folder = join(this.folder, 'data', 'logs', execution)
    const name = readdirSync(folder).find((one) => one === `${number}.log`)
    if (name === undefined) throw new Error(`there is no log ${number} in ${folder}`)
    return readFileSync(join(folder, name))
  }
}
