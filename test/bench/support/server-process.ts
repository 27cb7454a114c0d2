import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { EventView, ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { ServerStatus } from '@beadloom/core/api/server/server-api.ts'
import { isTerminal } from '@beadloom/core/records/execution.ts'
import { issues, makeRemote, type BeadLine, type Files } from '../../support/repository.ts'
import { LogClient, type LogPiece } from './log-client.ts'

const POLL_MS = 100
const root = join(import.meta.dirname, '..', '..', '..')

/** A server as a person starts it: a process of its own, through the command line. */
export class ServerProcess {
  readonly url: string
  readonly token: string
  readonly pid: number
  readonly folder: string
  #child: ChildProcess

  private constructor(child: ChildProcess, folder: string, said: { dashboard: string; pid: number }) {
    const dashboard = new URL(said.dashboard)
    this.#child = child
    this.folder = folder
    this.url = dashboard.origin
    this.token = dashboard.searchParams.get('token') ?? ''
    this.pid = said.pid
  }

  /**
   * `folder` is made by the caller and removed by `stop`; `warm`: the number of containers that may wait for an
   * execution.
   */
  static async start(folder: string, env: NodeJS.ProcessEnv = {}, warm = 0): Promise<ServerProcess> {
    // Traces run the sources: a built server's classes cannot be found.
    const entry = env['BEADLOOM_BENCH_TRACE'] ? 'src/cli/main.ts' : 'bin/beadloom.mjs'
    const command = [join(root, 'apps/server', entry), 'start', '--data', join(folder, 'data')]
    const child = spawn(process.execPath, [...command, '--port', '0', '--no-demo', '--warm', String(warm), '--json'], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, OPENAI_API_KEY: undefined, OPENAI_BASE_URL: undefined, ...env },
    })
    let said = ''
    for await (const chunk of child.stdout) {
      said += String(chunk)
      if (said.trimEnd().endsWith('}')) break
    }
    if (said === '') throw new Error('the server did not start: see above')
    return new ServerProcess(child, folder, JSON.parse(said) as { dashboard: string; pid: number })
  }

  async stop(): Promise<void> {
    await this.halt()
    rmSync(this.folder, { recursive: true, force: true })
  }

  /** Stops the server but keeps its folder for the next one. */
  async halt(): Promise<void> {
    const gone = once(this.#child, 'exit')
    process.kill(this.pid, 'SIGTERM')
    await gone
  }

  /** Resident memory, in millions of bytes. */
  rss(): number {
    const status = readFileSync(`/proc/${this.pid}/status`, 'utf8')
    return (Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024) / 1e6
  }

  /**
   * Processor time of the server's process so far, all threads together, in milliseconds; Linux counts in hundredths.
   */
  cpuMs(): number {
    const status = readFileSync(`/proc/${this.pid}/stat`, 'utf8')
    // The third field follows the name, which may contain spaces and brackets.
    const fields = status.slice(status.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) * 10
  }

  async api<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`)
    return (text === '' ? null : JSON.parse(text)) as T
  }

  /** A project made of these files, with a bare repository as its remote. */
  async addProject(id: string, files: Files, beads: BeadLine[]): Promise<void> {
    const tracker: Files = beads.length === 0 ? {} : { '.beads/issues.jsonl': issues(...beads) }
    const source = makeRemote(join(this.folder, 'remotes', `${id}.git`), { ...tracker, ...files })
    await this.api('POST', '/api/projects', { source, id })
  }

  queue(project: string, bead: string): Promise<ExecutionView> {
    return this.api('POST', `/api/projects/${project}/beads/${bead}/executions`, {})
  }

  /** The events from `after` on, as soon as there are any. */
  async events(execution: string, after = 0): Promise<{ items: EventView[]; ended: boolean }> {
    return this.api('GET', `/api/executions/${execution}/events?after=${after}&limit=1000&wait=20`)
  }

  /** The agent's session, as soon as there is one. */
  async workSession(execution: string): Promise<string> {
    for (let after = 0; ;) {
      const { items, ended } = await this.events(execution, after)
      after = items.at(-1)?.seq ?? after
      const begun = items.find(({ type, data }) => type === 'session' && (data as { kind?: string }).kind === 'work')
      if (begun?.session) return begun.session
      if (ended) throw new Error(`the execution ${execution} ended before its agent began`)
    }
  }

  /** Resolves when so many containers wait for an execution. */
  async waiting(containers: number): Promise<void> {
    while ((await this.api<ServerStatus>('GET', '/api/status')).warm < containers) await sleep(POLL_MS)
  }

  /** Resolves when an execution is over, without reading its events: they may be more than its output. */
  async over(execution: string): Promise<void> {
    for (;;) {
      const { state } = await this.api<ExecutionView>('GET', `/api/executions/${execution}`)
      if (isTerminal(state)) return
      await sleep(POLL_MS)
    }
  }

  /** Every event of an execution, once it has ended and its pipeline is done. */
  async ended(execution: string): Promise<{ view: ExecutionView; events: EventView[] }> {
    const events: EventView[] = []
    for (;;) {
      const { items, ended } = await this.events(execution, events.at(-1)?.seq)
      events.push(...items)
      if (!ended) continue
      const view = await this.api<ExecutionView>('GET', `/api/executions/${execution}`)
      if (isTerminal(view.state)) return { view, events }
    }
  }

  follow(session: string, hear: (piece: LogPiece) => void): Promise<LogClient> {
    return LogClient.open(this.url, this.token, session, hear)
  }
}
