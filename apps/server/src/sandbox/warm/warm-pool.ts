import { pauseAfterFailures, warmChanges, type Memory } from '@beadloom/core/dispatch/warm-changes.ts'
import { newExecutionId, type ExecutionId, type ProjectId } from '@beadloom/core/records/ids.ts'
import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'
import type { Taken, WarmSandboxes } from '../../execution/warm-sandboxes.ts'
import { EngineError } from '../../ports/engine.ts'
import type { HubProject } from '../../ports/hub.ts'
import type { EnvironmentId } from '../../ports/sandbox.ts'
import { packageOf } from '../agent-order.ts'
import { closeSandbox } from '../open-sandbox.ts'
import { environmentFrom, madeOf } from './made-of.ts'
import { openWarm, type OpenWarmDeps } from './open-warm.ts'

/** The present state of a project. */
export type PoolProject = {
  hub: HubProject
  settings: ProjectSettings
  autopilot: boolean
  paused: boolean
  held: boolean
  lastAt: number | null
}

export type WarmPoolDeps = OpenWarmDeps & {
  projects: () => readonly PoolProject[]
  /** Whether anything at all can start: an engine, room on the disk, nothing left to recover. */
  mayOpen: () => boolean
  memory: () => Memory
  /** The most that may wait in all. */
  most: number
  /** Between two looks. */
  lookMs: number
  changed: () => void
}

type Waiting = {
  name: string
  project: ProjectId
  made: string
  /** By the monotonic clock, like every time here but `lastAt`. */
  since: number
  cancel: AbortController
  /** Null: it is being opened. */
  opened: Taken | null
}

/** A server that stops waits no longer; the next one removes the rest. */
const CLOSE_MS = 3_000

/** For so many looks nothing is opened after an execution has taken one. */
const QUIET_LOOKS = 2

/**
 * The sandboxes that wait for an execution. A failure here fails no execution: it is tried again later, and an
 * execution that starts meanwhile opens a sandbox of its own.
 */
export class WarmPool implements WarmSandboxes {
  readonly #deps: WarmPoolDeps
  readonly #waiting = new Map<string, Waiting>()
  readonly #failed = new Map<ProjectId, { failures: number; notBefore: number }>()
  /** Until then nothing is opened: an execution that has just taken one is busy with its start. */
  #quietUntil = 0
  /** Sandboxes that are being opened or closed. */
  readonly #busy = new Set<Promise<void>>()

  constructor(deps: WarmPoolDeps) {
    this.#deps = deps
  }

  /** The number that an execution could take now. */
  get ready(): number {
    return [...this.#waiting.values()].filter(({ opened }) => opened !== null).length
  }

  learn(project: ProjectId, from: string, environment: EnvironmentId): void {
    const { store, log } = this.#deps
    if (store.environment(project, from) === environment) return
    const remember = async () => store.rememberEnvironment(project, from, environment)
    remember().catch((error) => log.error({ error, project }, 'what a project works in could not be stored'))
  }

  async take(owner: ExecutionId, project: ProjectId, made: string): Promise<Taken | null> {
    for (const one of this.#waiting.values()) {
      if (one.opened === null || one.project !== project || one.made !== made) continue
      this.#waiting.delete(one.name) // before the first await, so nothing else gets it
      this.#quietUntil = this.#deps.clock.monotonic() + QUIET_LOOKS * this.#deps.lookMs
      this.#deps.changed()
      if (await this.#deps.store.takeContainer(one.name, owner)) return one.opened
      this.#track(closeSandbox({ deps: this.#deps }, one.opened.sandbox))
    }
    return null
  }

  /** Opens and closes until `stop`, and then closes all that wait: the next server would remove them. */
  async follow(stop: AbortSignal): Promise<void> {
    const { clock, log, lookMs, most } = this.#deps
    while (most > 0 && !stop.aborted) {
      try {
        this.#look()
      } catch (error) {
        log.error({ error }, 'containers that wait for an execution could not be looked after')
      }
      await clock.sleep(lookMs, stop)
    }
    for (const one of this.#waiting.values()) this.#close(one)
    const done = new AbortController()
    const closed = Promise.all(this.#busy).then(() => done.abort())
    await Promise.race([closed, clock.sleep(CLOSE_MS, done.signal)])
  }

  #look(): void {
    const { clock, memory, most, mayOpen } = this.#deps
    const projects = new Map(this.#deps.projects().map((project) => [project.hub.id, project]))
    for (const id of this.#failed.keys()) if (!projects.has(id)) this.#failed.delete(id)
    const { close, open } = warmChanges({
      now: clock.now(),
      monotonic: clock.monotonic(),
      most,
      memory: memory(),
      waiting: [...this.#waiting.values()].map((one) => ({ ...one, ready: one.opened !== null })),
      projects: [...projects].map(([id, { settings, autopilot, paused, held, lastAt }]) => ({
        id,
        warm: settings.warm,
        made: this.#next(id, settings)?.made ?? null,
        autopilot,
        paused,
        held,
        lastAt,
        notBefore: this.#failed.get(id)?.notBefore ?? 0,
      })),
    })
    for (const name of close) this.#close(this.#waiting.get(name))
    const project = open === null ? undefined : projects.get(open)
    if (project && mayOpen() && clock.monotonic() >= this.#quietUntil) this.#open(project)
  }

  /** The environment of the project's next agent; null: unknown, or it has a network and is not opened ahead. */
  #next(id: ProjectId, settings: ProjectSettings): { environment: EnvironmentId; made: string } | null {
    const environment = this.#deps.store.environment(id, environmentFrom(settings, packageOf(settings)))
    if (environment === null || settings.network !== 'none') return null
    return { environment, made: madeOf(environment, settings) }
  }

  #open({ hub, settings }: PoolProject): void {
    const { clock, random } = this.#deps
    const next = this.#next(hub.id, settings)
    if (!next) return
    const name = `beadloom-warm-${newExecutionId(random).slice('ex-'.length)}`
    const cancel = new AbortController()
    const one: Waiting = { name, project: hub.id, made: next.made, since: clock.monotonic(), cancel, opened: null }
    this.#waiting.set(name, one)
    const { environment } = next
    const opening = openWarm(this.#deps, { name, project: hub, settings, environment }, cancel.signal)
    this.#track(
      opening.then(
        (opened) => this.#opened(one, opened),
        (error: unknown) => this.#gaveUp(one, environment, error),
      ),
    )
  }

  #opened(one: Waiting, opened: Taken): void {
    one.opened = opened
    this.#failed.delete(one.project)
    if (this.#waiting.has(one.name)) this.#deps.changed()
    else this.#track(closeSandbox({ deps: this.#deps }, opened.sandbox)) // closed in the same moment
  }

  async #gaveUp({ name, project, cancel }: Waiting, environment: EnvironmentId, error: unknown): Promise<void> {
    this.#waiting.delete(name)
    if (cancel.signal.aborted) return
    const { clock, log, store } = this.#deps
    // Its image has been removed. The next execution makes it again.
    if (error instanceof EngineError && error.kind === 'image-missing') return store.forgetEnvironment(environment)
    const failures = (this.#failed.get(project)?.failures ?? 0) + 1
    this.#failed.set(project, { failures, notBefore: clock.monotonic() + pauseAfterFailures(failures) })
    log.info({ error, project, failures }, 'no container could be opened ahead; trying again later')
  }

  #close(one: Waiting | undefined): void {
    if (!one || !this.#waiting.delete(one.name)) return
    one.cancel.abort('not needed any more')
    if (one.opened === null) return
    this.#track(closeSandbox({ deps: this.#deps }, one.opened.sandbox))
    this.#deps.changed()
  }

  #track(work: Promise<void>): void {
    const tracked = work.finally(() => this.#busy.delete(tracked))
    this.#busy.add(tracked)
  }
}
