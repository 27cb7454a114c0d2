import { defaultRetry } from '@beadloom/core/execution/retry.ts'
import { apiOfAgent } from '@beadloom/core/agents/presets.ts'
import type { BeadId, ProjectId } from '@beadloom/core/ids.ts'
import { ConfigError, type ProjectSettings } from '@beadloom/core/project/project-config.ts'
import type { Reason } from '@beadloom/core/dispatch/plan-dispatch.ts'
import { nextBudgetDay } from '@beadloom/core/execution/token-budget.ts'
import { allTokens } from '@beadloom/core/execution/token-use.ts'
import { dayUsedUp } from '@beadloom/core/dispatch/why-not.ts'
import type { SyncCause, SyncRun } from '@beadloom/core/api/sync-api.ts'
import type { Gateway, ModelCheck } from '../../ports/gateway.ts'
import { HubError, type Fetched, type Hub, type HubProject } from '../../ports/hub.ts'
import type { ProjectRow } from '../../ports/store/projects.ts'
import type { Store } from '../../ports/store.ts'
import type { Tracker, TrackerInfo } from '../../ports/tracker.ts'
import type { Clock } from '../../process/clock.ts'
import type { Logger } from '../../process/logger.ts'
import type { ProjectSource } from '../../runner/runner.ts'
import { readProjectConfig, readProjectSettings } from './project-settings.ts'
import { Readings } from './readings.ts'
import { TrackerSync, type Claim } from '../tracker/tracker-sync.ts'
import { TrackerWatch } from '../tracker/tracker-watch.ts'

export type ProjectsDeps = {
  store: Store
  hub: Hub
  gateway: Gateway
  tracker: Tracker
  clock: Clock
  log: Logger
  /** The server's model, for projects that name none. */
  defaultModel: string | null
  /** Where people see a bead: an address, or null while nobody knows it. */
  link: (project: ProjectId, bead: string) => string | null
}

/** How often working trees are looked at for a changed tracker, where no event comes. */
const POLL_MS = 1_000

/** A tracker that could not be looked at for a reason of its own is left alone this long. */
const UNREAD_MS = 60_000

/** Projects as they are in their repositories: settings and beads, read from the base branch or the working tree. */
export class Projects implements ProjectSource {
  #deps: ProjectsDeps
  #trackers: TrackerSync
  /** What the last reading of the remote had to say; a reading of the tracker alone leaves it. */
  #fetchWarnings = new Map<ProjectId, string[]>()
  #unread = new Map<ProjectId, number>()
  #models = new Map<ProjectId, ModelCheck>()
  #readings: Readings

  constructor(deps: ProjectsDeps) {
    this.#deps = deps
    this.#trackers = new TrackerSync(deps)
    this.#readings = new Readings(deps)
  }

  /** Fetches first, so that what cannot be fetched is never registered. Throws `HubError`. */
  async add(id: ProjectId, source: string): Promise<ProjectRow> {
    await this.#deps.hub.fetch({ id, source, baseBranch: null })
    this.#deps.store.addProject({ id, source })
    await this.sync(id, 'added')
    return this.#row(id)
  }

  open(project: ProjectId): { hub: HubProject; settings: ProjectSettings } {
    const row = this.#row(project)
    const settings = settingsOf(row)
    if (!settings) throw new Error(row.problem ?? `the project ${project} has not been read yet`)
    return { hub: hubProject(row), settings }
  }

  /** Why nothing of this project can start, or null. */
  obstacle(row: ProjectRow): Reason | null {
    if (row.problem) return { code: 'project_broken', text: row.problem }
    const settings = settingsOf(row)
    if (!settings) return { code: 'project_broken', text: 'the project has not been read yet' }
    if (!settings.test)
      return {
        code: 'no_test_command',
        text: 'no test command: add "test" to beadloom.json on the base branch, for example {"test": "npm test"}',
      }
    const model = this.#models.get(row.id)
    if (settings.agent !== 'command' && model && !model.ok) return { code: 'no_model', text: model.text }
    return this.#dayUsedUp(row.id, settings)
  }

  #dayUsedUp(project: ProjectId, { limits }: ProjectSettings): Reason | null {
    const { store, clock } = this.#deps
    const limit = limits.maxTokensPerDay
    const now = clock.now()
    if (limit === null || allTokens(store.tokensOfDay(project, now)) < limit) return null
    return dayUsedUp(limit, nextBudgetDay(now))
  }

  model(project: ProjectId): ModelCheck | null {
    return this.#models.get(project) ?? null
  }

  /** What keeps the project's beads; null before the first look. */
  tracker(project: ProjectId): TrackerInfo | null {
    return this.#trackers.info(project)
  }

  /** By what name people know the tracker in which their claims count; null: there is none. */
  claimsIn(row: ProjectRow): string | null {
    return this.#trackers.claimsIn(row)
  }

  /** For an execution that is to start. Throws `TrackerError`. */
  claim(row: ProjectRow, bead: BeadId): Promise<Claim> {
    return this.#trackers.claim(row, bead)
  }

  /** Of a project that was removed: another may get its id. */
  forget(project: ProjectId): void {
    this.#models.delete(project)
    this.#trackers.forget(project)
    this.#fetchWarnings.delete(project)
    this.#unread.delete(project)
    this.#readings.forget(project)
  }

  /** Reads settings and beads again, and writes to the tracker. Calls that come while one runs share the next one. */
  sync(project: ProjectId, cause: SyncCause = 'execution'): Promise<void> {
    return this.#readings.inTurn(project, cause, () => this.#sync(project))
  }

  /** The last readings, newest first, and whether one goes on. */
  readings(project: ProjectId): { running: boolean; runs: SyncRun[] } {
    return this.#readings.of(project)
  }

  /** Follows the trackers of working trees until `stop`, and writes to them what waits. */
  async follow(stop: AbortSignal): Promise<void> {
    const watch = new TrackerWatch()
    const aborted = new Promise<void>((resolve) => stop.addEventListener('abort', () => resolve(), { once: true }))
    while (!stop.aborted) {
      const projects = this.#deps.store.projects()
      watch.only(projects.map(({ source }) => source))
      for (const row of projects) {
        if (stop.aborted) break
        await Promise.race([this.#look(row), aborted]) // a tracker that does not answer must not hold up the stop
      }
      await watch.wait(this.#deps.clock, POLL_MS, stop)
    }
    watch.close()
  }

  async #look(row: ProjectRow): Promise<void> {
    const now = this.#deps.clock.monotonic()
    if ((this.#unread.get(row.id) ?? -Infinity) > now) return
    try {
      if (await this.#trackers.isDue(row))
        await this.#readings.inTurn(row.id, 'tracker', () => this.#syncTracker(row.id))
    } catch (error) {
      this.#unread.set(row.id, now + UNREAD_MS)
      this.#deps.log.warn({ error, project: row.id }, 'a tracker could not be followed')
    }
  }

  /** The tracker alone: its file has changed, or something waits to be written to it. */
  async #syncTracker(project: ProjectId): Promise<void> {
    const { store, hub, clock } = this.#deps
    const row = store.project(project)
    if (!row) return
    const fetched = await hub.current(hubProject(row))
    const ofTracker = await this.#trackers.sync(row, fetched, clock.now())
    const warnings = [...(this.#fetchWarnings.get(project) ?? []), ...ofTracker]
    if (store.project(project)) store.updateProject(project, { warnings, syncedAt: clock.now() })
  }

  async #sync(project: ProjectId): Promise<void> {
    const { store, hub, clock } = this.#deps
    if (!store.project(project)) return
    const warnings: string[] = []
    try {
      const fetched = await this.#fetch(project, warnings)
      this.#fetchWarnings.set(project, [...warnings])
      const { settings } = await readProjectSettings(this.#deps, project, fetched)
      const model = await this.#deps.gateway.check(settings.model, settings.scenario, apiOfAgent(settings.agent))
      this.#models.set(project, model)
      // Before the beads: with the settings unknown, each of them would get that for its reason.
      store.updateProject(project, {
        name: settings.name,
        settings: JSON.stringify(settings),
        baseCommit: fetched.commit,
        problem: null,
      })
      warnings.push(...(await this.#trackers.sync(this.#row(project), fetched)))
      store.updateProject(project, { warnings, syncedAt: clock.now() })
    } catch (error) {
      if (!store.project(project)) return // removed while it was read
      if (!(error instanceof HubError) && !(error instanceof ConfigError)) throw error
      // What was read before stays; the sentence says why nothing new starts.
      store.updateProject(project, { problem: error.message, warnings })
      if (error instanceof ConfigError) {
        const fetched = await hub.current(hubProject(this.#row(project)))
        if (fetched) warnings.push(...(await this.#trackers.sync(this.#row(project), fetched)))
        store.updateProject(project, { warnings })
      }
    }
  }

  /**
   * The base branch as it is now. Which one that is, is asked of the default branch each time: a base branch that was
   * renamed or deleted must not keep the word that would mend it from being read.
   */
  async #fetch(project: ProjectId, warnings: string[]): Promise<Fetched> {
    const byDefault = await this.#fetchBranch(project, null, warnings)
    const { baseBranch } = await readProjectConfig(this.#deps, project, byDefault.commit)
    if (baseBranch === undefined || baseBranch === byDefault.baseBranch) return byDefault
    return this.#fetchBranch(project, baseBranch, warnings)
  }

  async #fetchBranch(project: ProjectId, baseBranch: string | null, warnings: string[]): Promise<Fetched> {
    const { hub } = this.#deps
    const asked: HubProject = { id: project, source: this.#row(project).source, baseBranch }
    try {
      return await hub.fetch(asked)
    } catch (error) {
      const known = error instanceof HubError ? await hub.current(asked) : null
      if (!known || !(error instanceof HubError)) throw error
      const warning = `${error.message} (going on with what was fetched before)`
      if (!warnings.includes(warning)) warnings.push(warning)
      return known
    }
  }

  #row(project: ProjectId): ProjectRow {
    const row = this.#deps.store.project(project)
    if (!row) throw new Error(`no project ${project}`)
    return row
  }
}

/** Settings that an older server stored lack these until the project is read again. */
const newer: Pick<ProjectSettings, 'verify' | 'retry' | 'review' | 'agentVersion' | 'agentArguments'> = {
  agentVersion: null,
  agentArguments: [],
  verify: [],
  retry: defaultRetry,
  review: { agent: null, command: null, model: null },
}

export const settingsOf = (row: ProjectRow): ProjectSettings | null =>
  row.settings === null ? null : { ...newer, ...(JSON.parse(row.settings) as ProjectSettings) }

export function hubProject(row: ProjectRow): HubProject {
  return { id: row.id, source: row.source, baseBranch: settingsOf(row)?.baseBranch ?? null }
}
