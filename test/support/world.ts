import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EventView, ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import type { Overrides } from '@beadloom/server/src/compose/parts.ts'
import { isTerminal } from '@beadloom/core/records/execution.ts'
import { parseExecutionId } from '@beadloom/core/records/ids.ts'
import type { GatewayBounds } from '@beadloom/server/src/gateway/bounds.ts'
import { startServer, type RunningServer } from '@beadloom/server/src/main.ts'
import { pipelineOrder } from '@beadloom/server/src/ports/store/executions.ts'
import { createLogger } from '@beadloom/server/src/process/logger.ts'
import { readSettings, type Environment, type Flags } from '@beadloom/server/src/process/settings/settings.ts'
import { EngineByTcp, usualCarrier } from './carriers.ts'
import { inDocker, onHost, type Containers } from './containers.ts'
import { ProcessEngine } from './process-engine/process-engine.ts'
import { ProcessHost } from './process-engine/process-host.ts'
import { whatIsMissing } from './process-engine/what-is-missing.ts'
import { hasNoSetup, issues, makeRemote, type BeadLine, type Files } from './repository.ts'

export type WorldOptions = {
  flags?: Flags
  env?: Environment
  data?: string
  scenarios?: string
  /** The server's `config.json`. */
  config?: object
  /** Limits of a model's calls, if a test cannot wait as long as people do. */
  modelBounds?: Partial<GatewayBounds>
  /** The hosts that sandboxes find outside. */
  egress?: Overrides['egress']
  /** Time that an agent has after it said BLOCKED. */
  blockedGraceMs?: number
  /**
   * The machine's apparent memory. By default no sandbox is opened ahead, whatever it is: tests find an execution's
   * containers by a label that such a sandbox cannot have. The flag `warm` says otherwise.
   */
  memory?: Overrides['memory']
  /**
   * `process`: containers are processes of this machine, for tests of what Beadloom decides and not of how containers
   * confine. Without namespaces, or with `TEST_ENGINE=docker`, they are real containers all the same.
   */
  engine?: 'docker' | 'process'
  /** The host of an earlier world whose server is gone: its containers and images are still there. */
  host?: ProcessHost | null
}

export type Answer<T = unknown> = { status: number; body: T }

const LOOK_AGAIN_MS = 500

/** A real server on a free port with a data folder of its own. */
export class World {
  readonly server: RunningServer
  readonly data: string
  readonly folder: string
  /** The host of the process engine; null on Docker. */
  readonly host: ProcessHost | null
  readonly containers: Containers
  readonly #ownsHost: boolean
  readonly #byTcp: EngineByTcp | null

  private constructor(
    server: RunningServer,
    folder: string,
    data: string,
    host: ProcessHost | null,
    ownsHost: boolean,
    byTcp: EngineByTcp | null,
  ) {
    this.#byTcp = byTcp
    this.server = server
    this.folder = folder
    this.data = data
    this.host = host
    this.containers = host ? onHost(host) : inDocker
    this.#ownsHost = ownsHost
  }

  static async start(options: WorldOptions = {}): Promise<World> {
    const folder = mkdtempSync(join(tmpdir(), 'bl-'))
    const data = options.data ?? join(folder, 'data')
    const host = options.host ?? (options.engine === 'process' ? await openHost() : null)
    const byTcp = usualCarrier === 'exec' && !host && !options.env?.['DOCKER_HOST'] ? await EngineByTcp.start() : null
    const env: Environment = {
      ...process.env,
      GIT_CONFIG_GLOBAL: '/dev/null', // tests must not depend on the machine's git settings
      OPENAI_API_KEY: undefined,
      OPENAI_BASE_URL: undefined,
      ...(byTcp && { DOCKER_HOST: byTcp.host }),
      ...options.env,
    }
    const settings = readSettings({
      flags: {
        data,
        port: '0',
        demo: false,
        warm: '0',
        logLevel: process.env['TEST_LOG'] ?? 'error',
        ...options.flags,
      },
      env,
      configFile: options.config ? JSON.stringify(options.config) : null,
      cwd: folder,
      defaults: { scenarios: options.scenarios ?? join(import.meta.dirname, '..', 'scenarios') },
    })
    const overrides: Overrides = {
      ...(options.modelBounds && { gatewayBounds: options.modelBounds }),
      ...(options.blockedGraceMs !== undefined && { blockedGraceMs: options.blockedGraceMs }),
      ...(options.egress && { egress: options.egress }),
      ...(options.memory && { memory: options.memory, warmLookMs: LOOK_AGAIN_MS }),
      ...(host && { containersOf: (instance) => new ProcessEngine(host, instance) }),
    }
    try {
      const server = await startServer(settings, env, createLogger(settings.logLevel), overrides)
      return new World(server, folder, data, host, host !== options.host, byTcp)
    } catch (error) {
      await byTcp?.stop()
      if (host !== options.host) await host?.close()
      throw error
    }
  }

  async stop(): Promise<void> {
    const { instance } = this.server.store
    await this.server.stop()
    await this.containers.removeAll(instance)
    if (this.#ownsHost) await this.host?.close()
    await this.#byTcp?.stop()
    rmSync(this.folder, { recursive: true, force: true })
  }

  async api<T = unknown>(method: string, path: string, body?: unknown): Promise<Answer<T>> {
    const response = await fetch(`${this.server.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.server.token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, body: (text === '' ? null : JSON.parse(text)) as T }
  }

  async get<T>(path: string): Promise<T> {
    const { status, body } = await this.api<T>('GET', path)
    if (status !== 200) throw new Error(`GET ${path} answered ${status}: ${JSON.stringify(body)}`)
    return body
  }

  /**
   * A project made of these files, with a bare repository as its remote.
   *
   * @param scheme in front of the remote's folder, which makes it an address: `file://`
   */
  async addProject(
    id: string,
    files: Files,
    beads: BeadLine[],
    scheme = '',
  ): Promise<{ remote: string; view: ProjectView }> {
    const remote = makeRemote(join(this.folder, 'remotes', `${id}.git`), {
      '.beads/issues.jsonl': issues(...beads),
      ...files,
    })
    if (hasNoSetup(files)) this.host?.prepare(id)
    const { status, body } = await this.api<ProjectView>('POST', '/api/projects', { source: `${scheme}${remote}`, id })
    if (status >= 300) throw new Error(`adding ${id} answered ${status}: ${JSON.stringify(body)}`)
    return { remote, view: body }
  }

  newFolder(name: string): string {
    const path = join(this.folder, name)
    mkdirSync(path, { recursive: true })
    return path
  }

  async queue(project: string, bead: string, body: object = {}): Promise<ExecutionView> {
    const answer = await this.api<ExecutionView>('POST', `/api/projects/${project}/beads/${bead}/executions`, body)
    if (answer.status !== 202)
      throw new Error(`queueing ${bead} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }

  execution(id: string): Promise<ExecutionView> {
    return this.get(`/api/executions/${id}`)
  }

  /** Every event of an execution so far. */
  async events(id: string): Promise<EventView[]> {
    return (await this.get<{ items: EventView[] }>(`/api/executions/${id}/events?after=0&limit=1000`)).items
  }

  log(session: string): Promise<string> {
    return fetch(`${this.server.url}/api/sessions/${session}/log/raw`, {
      headers: { authorization: `Bearer ${this.server.token}` },
    }).then((response) => response.text())
  }

  /** Waits until the agent's log of this execution has this text in it. */
  printed(id: string, text: string): Promise<void> {
    return this.until(
      async () => {
        const work = (await this.execution(id)).sessions.find(({ kind }) => kind === 'work')
        return work !== undefined && (await this.log(work.id)).includes(text)
      },
      (listener) => this.server.logs.onGrow(listener),
    )
  }

  /**
   * Resolves with the execution once it has ended and its pipeline is done. Asks the store, because the API would take
   * a request after every change.
   */
  async ended(id: string): Promise<ExecutionView> {
    const { store } = this.server
    const execution = parseExecutionId(id)
    await this.until(() => {
      const stored = store.execution(execution)
      if (!stored) throw new Error(`there is no execution ${id}`)
      return isTerminal(stored.state) && store.pipelineSteps(execution).length === pipelineOrder.length
    })
    return this.execution(id)
  }

  async run(project: string, bead: string, body: object = {}): Promise<ExecutionView> {
    return this.ended((await this.queue(project, bead, body)).id)
  }

  /** Allows what an execution was refused for. Resolves with the execution that continues, once it has ended. */
  async allow(execution: string, body: object = {}): Promise<ExecutionView> {
    const path = `/api/executions/${execution}/allow-tests`
    const { status, body: next } = await this.api<ExecutionView>('POST', path, body)
    if (status !== 202) throw new Error(`allowing ${execution} answered ${status}: ${JSON.stringify(next)}`)
    return this.ended(next.id)
  }

  /**
   * Asks again after every change of the server's state, until the answer is yes. The test's own time limit bounds it.
   * Every 500 ms it asks anyway, for changes that the server does not see, such as a foreign push.
   *
   * @param alsoAfter another source of changes
   */
  async until(
    holds: () => Promise<boolean> | boolean,
    alsoAfter: (listener: () => void) => () => void = () => () => {},
  ): Promise<void> {
    const { store } = this.server
    for (;;) {
      let wake = () => {}
      const changed = new Promise<void>((resolve) => (wake = resolve))
      let later: NodeJS.Timeout | undefined
      const deaf = [store.onChange(() => wake()), store.onEvent(() => wake()), alsoAfter(() => wake())]
      try {
        if (await holds()) return
        later = setTimeout(wake, LOOK_AGAIN_MS)
        await changed
      } finally {
        clearTimeout(later)
        for (const stop of deaf) stop()
      }
    }
  }
}

/** The host; null if the tests have to use Docker. */
async function openHost(): Promise<ProcessHost | null> {
  if (process.env['TEST_ENGINE'] === 'docker') return null
  const missing = await whatIsMissing()
  if (missing === null) return ProcessHost.open()
  console.warn(`On Docker, which takes longer: ${missing}`)
  return null
}
