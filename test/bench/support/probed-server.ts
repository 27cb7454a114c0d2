import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { ServerProcess } from './server-process.ts'

const probe = pathToFileURL(join(import.meta.dirname, 'stall-probe.ts')).href

/**
 * In milliseconds: the longest task of the server's main thread by the clock and by its own processor time, its
 * processor time, and that of all threads. In MB: the most resident memory that was seen.
 */
export type Seen = { wallMs: number; cpuMs: number; usedMs: number; allMs: number; peakMB: number }

/** A server whose main thread is watched. */
export class ProbedServer {
  readonly server: ServerProcess
  readonly #file: string

  private constructor(server: ServerProcess, file: string) {
    this.server = server
    this.#file = file
  }

  /** Starts it in a folder that may have an earlier server's data. */
  static async start(folder = mkdtempSync(join(tmpdir(), 'bl-bench-'))): Promise<ProbedServer> {
    const file = join(folder, 'stalls.json')
    const env = { STALL_PROBE: file, NODE_OPTIONS: `--import=${probe}` }
    return new ProbedServer(await ServerProcess.start(folder, env), file)
  }

  /** Measures the server while `act` runs. */
  async during(act: () => Promise<void>): Promise<Seen> {
    await this.#ask()
    const before = this.server.cpuMs()
    let [over, peakMB] = [false, 0]
    const watching = (async () => {
      for (; !over; await sleep(20)) peakMB = Math.max(peakMB, this.server.rss())
    })()
    await act()
    over = true
    await watching
    return { ...(await this.#ask()), allMs: this.server.cpuMs() - before, peakMB }
  }

  async #ask(): Promise<Pick<Seen, 'wallMs' | 'cpuMs' | 'usedMs'>> {
    rmSync(this.#file, { force: true })
    process.kill(this.server.pid, 'SIGUSR2')
    while (!existsSync(this.#file)) await sleep(5)
    return JSON.parse(readFileSync(this.#file, 'utf8')) as Seen
  }
}
