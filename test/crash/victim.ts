import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { EventView, ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { EngineByTcp, usualCarrier, type CarrierKind } from '../support/carriers.ts'
import { startedServer, type CommandLine, type Up } from '../support/command-line.ts'
import { issues, makeRemote, type BeadLine, type Files } from '../support/repository.ts'
import { ContainerWatch } from './container-watch.ts'
import { instanceOf, stored } from './stored.ts'

/**
 * `data`: its data folder, if not in its own folder. `config`: its config.json. `engine`: the engine to watch, if not
 * at `DOCKER_HOST`.
 */
export type VictimOptions = {
  carrier?: CarrierKind
  slots?: number
  env?: Record<string, string>
  files?: number
  data?: string
  config?: object
  engine?: string
}

type Started = { up: Up; line: CommandLine }

const POLL_MS = 200

/** A server as a process of its own, which is killed and restarted on the same data folder. */
export class Victim {
  readonly folder: string
  readonly data: string
  kills = 0
  #up: Up
  #line: CommandLine
  readonly #begin: (env?: Record<string, string>) => Promise<Started>
  #watch: ContainerWatch | null = null
  #byTcp: EngineByTcp | null = null

  private constructor(
    folder: string,
    data: string,
    begin: (env?: Record<string, string>) => Promise<Started>,
    started: Started,
  ) {
    this.folder = folder
    this.data = data
    this.#begin = begin
    this.#up = started.up
    this.#line = started.line
  }

  static async start(options: VictimOptions = {}): Promise<Victim> {
    const { slots = 3, env = {}, files, config, engine = env['DOCKER_HOST'], carrier = usualCarrier } = options
    const folder = mkdtempSync(join(tmpdir(), 'bl-kill-'))
    const data = options.data ?? join(folder, 'data')
    if (config) {
      mkdirSync(data, { recursive: true })
      writeFileSync(join(data, 'config.json'), JSON.stringify(config))
    }
    const byTcp = carrier === 'exec' ? await EngineByTcp.start(engine) : null
    const found = byTcp ? { ...env, DOCKER_HOST: byTcp.host } : env
    const begin = (more: Record<string, string> = {}) =>
      startedServer(data, ['--slots', String(slots)], { env: { ...found, ...more }, files })
    const started = await begin().catch(async (error: unknown) => {
      await byTcp?.stop()
      rmSync(folder, { recursive: true, force: true })
      throw error
    })
    const victim = new Victim(folder, data, begin, started)
    victim.#byTcp = byTcp
    victim.#watch = await ContainerWatch.start(instanceOf(victim.data), engine)
    return victim
  }

  get watch(): ContainerWatch {
    if (!this.#watch) throw new Error('nobody watches its containers')
    return this.#watch
  }
  /** Its only way to the engine, if its links go over exec. */
  get byTcp(): EngineByTcp {
    if (!this.#byTcp) throw new Error('its engine is at a socket')
    return this.#byTcp
  }
  get pid(): number {
    return this.#up.pid
  }
  get url(): string {
    return this.#up.url
  }
  /** Resolves once the process is gone, whatever ended it. */
  get gone(): Promise<{ code: number | null; stderr: string }> {
    return this.#line.ended
  }

  async kill(): Promise<void> {
    process.kill(this.#up.pid, 'SIGKILL')
    await this.gone
    this.kills += 1
  }

  /** Waits for the crash at a crash point. */
  async crashed(): Promise<void> {
    const { code, stderr } = await this.gone
    if (code !== 137) throw new Error(`the server was to crash and ended with ${code}: ${stderr}`)
    this.kills += 1
  }

  async again(env: Record<string, string> = {}): Promise<void> {
    const { up, line } = await this.#begin(env)
    this.#up = up
    this.#line = line
  }

  /** Stops it in order; its data folder stays until `remove`. */
  async stop(): Promise<void> {
    this.#line.child.kill('SIGTERM')
    await this.gone
  }

  /** Removes everything of it from the machine, whatever happened. */
  async remove(): Promise<void> {
    this.#byTcp?.passes()
    await this.stop()
    await this.#watch?.end()
    await this.#byTcp?.stop()
    rmSync(this.folder, { recursive: true, force: true })
  }

  /** Sends a POST that may be repeated under its key. */
  keyed<T>(path: string, key: string, body: object): Promise<T> {
    return this.api('POST', path, body, { 'idempotency-key': key })
  }

  async api<T>(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<T> {
    const response = await fetch(`${this.#up.url}${path}`, {
      method,
      headers: {
        ...headers,
        authorization: `Bearer ${new URL(this.#up.dashboard).searchParams.get('token') ?? ''}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`)
    return (text === '' ? null : JSON.parse(text)) as T
  }

  async addProject(id: string, { files, beads }: { files: Files; beads: BeadLine[] }): Promise<void> {
    const source = makeRemote(this.remoteOf(id), { '.beads/issues.jsonl': issues(...beads), ...files })
    await this.api('POST', '/api/projects', { source, id })
  }

  remoteOf(project: string): string {
    return join(this.folder, 'remotes', `${project}.git`)
  }

  async queue(project: string, bead: string, body: object = {}): Promise<string> {
    const path = `/api/projects/${project}/beads/${bead}/executions`
    return (await this.api<ExecutionView>('POST', path, body)).id
  }

  execution(id: string): Promise<ExecutionView> {
    return this.api('GET', `/api/executions/${id}`)
  }

  /**
   * Resolves with every event, once the execution is over and its pipeline done. Throws if the server goes away
   * meanwhile.
   */
  async ended(id: string): Promise<EventView[]> {
    const events: EventView[] = []
    for (;;) {
      const after = events.at(-1)?.seq ?? 0
      const page = await this.api<{ items: EventView[]; ended: boolean }>(
        'GET',
        `/api/executions/${id}/events?after=${after}&limit=1000&wait=20`,
      )
      events.push(...page.items)
      if (page.ended) return events
    }
  }

  /** The same without reading the events: for a flood, they are larger than the flood. */
  async over(id: string): Promise<void> {
    while (stored(this.data).executions.find((one) => one.id === id)?.steps.length !== 4) await delay(POLL_MS)
  }

  /** Waits for the execution's events until this holds. Throws if it cannot begin, because its base is broken. */
  async until(id: string, holds: (view: ExecutionView) => boolean | Promise<boolean>): Promise<void> {
    for (let after = 0; ;) {
      const view = await this.execution(id)
      if (await holds(view)) return
      if (view.whyQueued?.code === 'base_broken') throw new Error(`${view.bead} does not begin: ${view.whyQueued.text}`)
      const path = `/api/executions/${id}/events?after=${after}&limit=1000&wait=1`
      after = (await this.api<{ items: EventView[] }>('GET', path)).items.at(-1)?.seq ?? after
    }
  }
}
