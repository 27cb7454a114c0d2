import { statfs } from 'node:fs/promises'
import type { ServerStatus } from '@beadloom/core/api/server-api.ts'
import type { Reason } from '@beadloom/core/dispatch/plan-dispatch.ts'
import { modelCooldown } from '@beadloom/core/dispatch/why-not.ts'
import type { Engine, EngineHealth } from '../../ports/engine.ts'
import type { Gateway, ModelCheck } from '../../ports/gateway.ts'
import type { Store } from '../../ports/store.ts'
import type { Clock } from '../../process/clock.ts'

const LOOK_MS = 5_000
/** What is said of Docker and the model before the first check. */
export const NOT_CHECKED = 'not checked yet'
/** Below this nothing new starts: images, workspaces and the database share the disk, and all suffer when it is full. */
export const DISK_FLOOR_BYTES = 2 * 1024 ** 3

export type FactsDeps = {
  engine: Engine
  gateway: Gateway
  store: Pick<Store, 'writable'>
  clock: Clock
  data: string
  model: string | null
  changed: () => void
}

/** What the server knows about its surroundings: the engine, the disk, the default model. */
export class ServerFacts {
  #deps: FactsDeps
  #docker: EngineHealth = { ok: false, text: NOT_CHECKED, where: null, weaker: [], cpus: 0, memoryBytes: 0 }
  #model: ModelCheck = { ok: false, name: null, text: NOT_CHECKED, note: null }
  #disk: ServerStatus['disk'] = { freeBytes: 0, ok: true }
  #recovering = true

  constructor(deps: FactsDeps) {
    this.#deps = deps
  }

  get docker(): EngineHealth {
    return this.#docker
  }
  get model(): ModelCheck {
    return this.#model
  }
  get disk(): ServerStatus['disk'] {
    return this.#disk
  }

  /** Executions may start from now on: what an earlier server left running is recovered. */
  recovered(): void {
    this.#recovering = false
    this.#deps.changed()
  }

  /** Why nothing at all can start, or null. */
  obstacle(): Reason | null {
    if (!this.#docker.ok) return { code: 'no_docker', text: this.#docker.text }
    if (!this.#disk.ok) {
      return { code: 'no_disk', text: `less than ${DISK_FLOOR_BYTES / 1024 ** 3} GiB of disk space is left: free some` }
    }
    if (this.#recovering)
      return { code: 'settling', text: 'the server is reattaching to what was running when it stopped' }
    return null
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

  /** What runs in an engine that does not answer can be recovered only when it is back. */
  async whenDockerAnswers(stop: AbortSignal): Promise<void> {
    while (!this.#docker.ok && !stop.aborted) await this.#deps.clock.sleep(LOOK_MS / 5, stop)
  }

  async look(): Promise<void> {
    const { engine, gateway, data, model, changed } = this.#deps
    const before = this.#summary()
    this.#docker = await engine.health()
    this.#model = await gateway.check(model, null)
    await this.#deps.store.writable(0) // so that a lock is noticed while nothing is written
    this.#disk = await diskOf(data).catch(() => ({ freeBytes: 0, ok: false }))
    if (this.#summary() !== before) changed()
  }

  #summary(): string {
    const { ok, text, where, weaker } = this.#docker
    return JSON.stringify([ok, text, where, weaker, this.#model, this.#disk.ok])
  }
}

async function diskOf(folder: string): Promise<ServerStatus['disk']> {
  const { bavail, bsize } = await statfs(folder)
  const freeBytes = bavail * bsize
  return { freeBytes, ok: freeBytes >= DISK_FLOOR_BYTES }
}
