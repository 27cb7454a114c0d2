import { slotsBesideChecks, slotsOn, type Size } from '@beadloom/core/dispatch/capacity.ts'
import type { Execution } from '@beadloom/core/records/execution.ts'
import type { ExecutionId, ProjectId } from '@beadloom/core/records/ids.ts'
import { LOCAL_ENGINE } from '@beadloom/core/records/engine-name.ts'
import { defaultLimits, usualSlots, type ProjectSettings } from '@beadloom/core/project/project-config.ts'
import type { EngineHealth } from '../../ports/engine.ts'
import type { Engines } from '../../ports/engines.ts'
import type { SlotCapacity } from '../../ports/slot-capacity.ts'
import type { Store } from '../../ports/store.ts'
import type { ServerSettings } from '../../process/settings/settings.ts'
import { settingsOf } from '../stored/stored-settings.ts'

export type PlacesDeps = {
  store: Pick<Store, 'projects' | 'project' | 'startedSettings' | 'liveExecutions'>
  settings: Pick<ServerSettings, 'slots' | 'engines'>
  engines: Pick<Engines, 'nameOf'>
  /** The engine's health at the last look. */
  health: (engine: string) => EngineHealth
}

export type Place = { engine: string; weight: number; limit: number | null }

/** The most executions whose engines are remembered; others are read again. */
const REMEMBERED = 20_000

/** The engines on which projects have their slots, and how many there are. */
export class SlotPlaces implements SlotCapacity {
  readonly #deps: PlacesDeps
  /** An execution stays where it was started. */
  readonly #startedOn = new Map<ExecutionId, string>()

  constructor(deps: PlacesDeps) {
    this.#deps = deps
  }

  /** The engines that a project or a running execution uses, `local` first. */
  get engines(): readonly string[] {
    const { store } = this.#deps
    const ofProjects = store.projects().map((row) => this.place(settingsOf(row)).engine)
    const ofRunning = store.liveExecutions().flatMap((one) => (one.state === 'RUNNING' ? [this.engineOf(one)] : []))
    return [...new Set([LOCAL_ENGINE, ...ofProjects, ...ofRunning])]
  }

  get total(): number {
    return this.engines.reduce((sum, engine) => sum + this.of(engine), 0)
  }

  /**
   * The number from `config.json`; else, for a cluster, what fits on its nodes beside checks, and for Docker the number
   * of `local`.
   */
  of(engine: string): number {
    const { settings, health } = this.#deps
    const own = settings.engines.get(engine)
    if (engine === LOCAL_ENGINE) return settings.slots
    if (own === undefined) return 0
    const said = own.slots ?? ('kubernetes' in own ? 'capacity' : settings.slots)
    if (said !== 'capacity') return said
    const { ok, cpus, memoryBytes, machines = [{ cpus, memoryBytes }], asking } = health(engine)
    if (!ok) return 0
    // A size above that of any machine is clamped to the largest one.
    const largest = this.#largestOn(engine)
    const granted = { cpus: Math.min(cpus, largest.cpus), memoryBytes: Math.min(memoryBytes, largest.memoryBytes) }
    const fit = slotsOn(machines, granted, asking)
    return 'kubernetes' in own ? slotsBesideChecks(fit) : fit // Docker starts all that it is asked to
  }

  /** A project whose settings are not known yet shares by the defaults. */
  place(settings: ProjectSettings | null): Place {
    const { limit, weight } = settings?.slots ?? usualSlots
    return { engine: this.#deps.engines.nameOf(settings?.engine ?? null), weight, limit }
  }

  ofProject(project: ProjectId): Place {
    const row = this.#deps.store.project(project)
    return this.place(row ? settingsOf(row) : null)
  }

  /** The engine that a running execution was started on. */
  engineOf({ id, project }: Pick<Execution, 'id' | 'project'>): string {
    const known = this.#startedOn.get(id)
    if (known !== undefined) return known
    const started = this.#deps.store.startedSettings(id)
    if (started === null) return this.ofProject(project).engine
    if (this.#startedOn.size >= REMEMBERED) this.#startedOn.clear()
    const engine = started.engine ?? LOCAL_ENGINE
    this.#startedOn.set(id, engine)
    return engine
  }

  /** The limits of the largest sandbox of the projects there. */
  #largestOn(engine: string): Size {
    const sizes = this.#deps.store.projects().flatMap((row): Size[] => {
      const settings = settingsOf(row)
      return settings !== null && this.place(settings).engine === engine ? [settings.limits] : []
    })
    const { cpus, memoryBytes } = defaultLimits
    if (sizes.length === 0) return { cpus, memoryBytes }
    return {
      cpus: Math.max(...sizes.map((one) => one.cpus)),
      memoryBytes: Math.max(...sizes.map((one) => one.memoryBytes)),
    }
  }
}
