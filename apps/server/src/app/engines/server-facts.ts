import { statfs } from 'node:fs/promises'
import type { EngineView, ServerStatus } from '@beadloom/core/api/server/server-api.ts'
import type { Reason } from '@beadloom/core/dispatch/reason.ts'
import { modelCooldown } from '@beadloom/core/dispatch/why-not.ts'
import { withKept } from '@beadloom/core/execution/left-text.ts'
import { LOCAL_ENGINE } from '@beadloom/core/records/engine-name.ts'
import type { EngineHealth } from '../../ports/engine.ts'
import type { Engines } from '../../ports/engines.ts'
import type { Gateway, ModelCheck } from '../../ports/gateway.ts'
import type { Store } from '../../ports/store.ts'
import type { Clock } from '../../process/clock.ts'
import { settingsOf } from '../stored/stored-settings.ts'
import { EngineFacts, NOT_CHECKED } from './engine-facts.ts'

const LOOK_MS = 5_000
/** Below this nothing new starts: images, workspaces and the database share the disk, and all suffer when it is full. */
export const DISK_FLOOR_BYTES = 2 * 1024 ** 3

export type FactsDeps = {
  engines: Engines
  gateway: Gateway
  store: Pick<Store, 'writable' | 'projects' | 'containers' | 'keptContainers' | 'liveExecutions' | 'startedSettings'>
  clock: Clock
  data: string
  model: string | null
  changed: () => void
}

/** The server's knowledge of its surroundings: the engine, the disk, the default model. */
export class ServerFacts {
  #deps: FactsDeps
  readonly #engines: EngineFacts
  #model: ModelCheck = { ok: false, name: null, text: NOT_CHECKED, note: null }
  #disk: ServerStatus['disk'] = { freeBytes: 0, ok: true }

  constructor(deps: FactsDeps) {
    this.#deps = deps
    this.#engines = new EngineFacts(deps.engines)
  }

  /** The engine `local`, which every server has. */
  get docker(): EngineHealth {
    return this.#engines.health(LOCAL_ENGINE)
  }
  engine(name: string): EngineHealth {
    return this.#engines.health(name)
  }
  get model(): ModelCheck {
    return this.#model
  }
  get disk(): ServerStatus['disk'] {
    return this.#disk
  }

  /** All but `local`. */
  otherEngines(): EngineView[] {
    return this.enginesInUse().flatMap((name) => {
      if (name === LOCAL_ENGINE) return []
      const { ok, text, where, weaker } = this.engine(name)
      return [{ name, ok, text, where, weaker }]
    })
  }

  /** `local`, and the engines that a project, a container or a running execution names. */
  enginesInUse(): string[] {
    const { engines, store } = this.#deps
    const ofProjects = store.projects().map((row) => engines.nameOf(settingsOf(row)?.engine ?? null))
    const ofContainers = store.containers().map(({ engine }) => engine)
    const ofExecutions = store
      .liveExecutions()
      .flatMap(({ id, state }) => (state === 'RUNNING' ? [store.startedSettings(id)?.engine ?? LOCAL_ENGINE] : []))
    return [...new Set([LOCAL_ENGINE, ...ofProjects, ...ofContainers, ...ofExecutions])]
  }

  /** Executions may start there from now on: an earlier server's are recovered. */
  recovered(engine: string): void {
    this.#engines.recovered(engine)
    this.#deps.changed()
  }

  /** The unknown facts after a start, in sentences. */
  unsettled(): string[] {
    return this.enginesInUse().flatMap((name) => this.#engines.unsettled(name) ?? [])
  }

  /** Why nothing at all can start, or null. */
  obstacle(): Reason | null {
    if (this.#disk.ok) return null
    return {
      code: 'no_disk',
      text: withKept(
        `less than ${DISK_FLOOR_BYTES / 1024 ** 3} GiB of disk space is left: free some`,
        this.#deps.store.keptContainers(),
      ),
    }
  }

  /** Why nothing can start on this engine (null: the default one), or null. */
  engineObstacle(asked: string | null): Reason | null {
    return this.#engines.obstacle(this.#deps.engines.nameOf(asked))
  }

  /** Why a project with this model (null: the server's) cannot start anything for a while, or null. */
  cooldown(model: string | null): Reason | null {
    const { gateway, clock } = this.#deps
    const cooldown = gateway.cooldown(model)
    return cooldown && modelCooldown(cooldown.until, clock.now())
  }

  async follow(stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      await this.look()
      await this.#deps.clock.sleep(LOOK_MS, stop)
    }
  }

  /** Resolves when an engine answers: only then can its containers be recovered. */
  async whenAnswers(engine: string, stop: AbortSignal): Promise<void> {
    while (!this.engine(engine).ok && !stop.aborted) await this.#deps.clock.sleep(LOOK_MS / 5, stop)
  }

  async look(): Promise<void> {
    const { gateway, data, model, changed } = this.#deps
    const before = this.#summary()
    await this.#engines.look(this.enginesInUse(), changed)
    this.#model = await gateway.check(model, null)
    await this.#deps.store.writable(0) // so that a lock is noticed while nothing is written
    this.#disk = await diskOf(data).catch(() => ({ freeBytes: 0, ok: false }))
    if (this.#summary() !== before) changed()
  }

  #summary(): string {
    const { ok, text, where, weaker } = this.docker
    return JSON.stringify([ok, text, where, weaker, this.#model, this.#disk.ok])
  }
}

async function diskOf(folder: string): Promise<ServerStatus['disk']> {
  const { bavail, bsize } = await statfs(folder)
  const freeBytes = bavail * bsize
  return { freeBytes, ok: freeBytes >= DISK_FLOOR_BYTES }
}
