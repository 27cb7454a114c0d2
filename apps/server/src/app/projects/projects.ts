import { apiOfAgent } from '@beadloom/core/agents/presets.ts'
import { lostOnRemoteText } from '@beadloom/core/records/branch.ts'
import type { BeadId, ProjectId } from '@beadloom/core/records/ids.ts'
import { ConfigError } from '@beadloom/core/settings/config-error.ts'
import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'
import type { Reason } from '@beadloom/core/dispatch/reason.ts'
import { shortened } from '@beadloom/core/text/shortened.ts'
import type { SyncCause, SyncRun } from '@beadloom/core/api/projects/sync-api.ts'
import type { Aside } from '../../ports/aside.ts'
import type { Gateway, ModelCheck } from '../../ports/gateway.ts'
import { HubError, type Hub, type HubProject } from '../../ports/hub.ts'
import type { ProjectRow } from '../../ports/store/projects.ts'
import type { PatientStore } from '../../ports/store/patient.ts'
import type { Tracker, TrackerInfo } from '../../ports/tracker.ts'
import type { Clock } from '../../process/clock.ts'
import type { Logger } from '../../process/logger.ts'
import type { ProjectSource } from '../../workflow/executions.ts'
import type { AddingWork } from './adding.ts'
import { fetchBaseBranch } from './base-branch.ts'
import { checkedOutText, hooksText, rewrittenText, takenText } from './branch-texts.ts'
import { Looks } from './looks.ts'
import { projectObstacle } from './project-obstacle.ts'
import { readProjectSettings } from '../settings/project-settings.ts'
import type { BudgetWatch } from '../../ports/budget.ts'
import { SecondLooks } from './second-looks.ts'
import { SyncQueue } from './sync-queue.ts'
import { hubProject, settingsOf, withNewer } from '../stored/stored-settings.ts'
import type { Claim } from '../tracker/tracker-claim.ts'
import { TrackerSync } from '../tracker/tracker-sync.ts'
import { TrackerWatch } from '../tracker/tracker-watch.ts'
import { aborted } from '../../process/within.ts'

export type ProjectsDeps = {
  store: PatientStore
  hub: Hub
  aside: Aside
  gateway: Gateway
  tracker: Tracker
  clock: Clock
  log: Logger
  /** The server's model, for projects that name none. */
  defaultModel: string | null
  base: BaseGate
  budget: BudgetWatch
  /** A bead's address for people; null: not known yet. */
  link: (project: ProjectId, bead: string) => string | null
}

/** The proofs of the commits that beads start from. */
export type BaseGate = {
  /** Why nothing of a project can start because of its base, or null. */
  obstacle(row: ProjectRow): Reason | null
  /** The project was read anew. */
  look(project: ProjectId): Promise<void>
  forget(project: ProjectId): void
}

/** The pause between checks of working trees for a changed tracker, in case no event arrives. */
const POLL_MS = 1_000

/** The limit of text about an unreadable repository on the project's page: git repeats its contents. */
const LONGEST_PROBLEM = 20_000

/** A tracker that could not be read is left alone this long. */
const UNREAD_MS = 60_000

/** The projects, with their repositories' settings and beads, read from the base branch or the working tree. */
export class Projects implements ProjectSource {
  #deps: ProjectsDeps
  #trackers: TrackerSync
  /** Warnings of the last fetch; a sync with the tracker alone keeps them. */
  #fetchWarnings = new Map<ProjectId, string[]>()
  #unread = new Map<ProjectId, number>()
  #secondLooks = new SecondLooks()
  /** The commit of the base branch that was read last, even if it could not be used. */
  #readAt = new Map<ProjectId, string>()
  #models = new Map<ProjectId, ModelCheck>()
  #syncs: SyncQueue

  constructor(deps: ProjectsDeps) {
    this.#deps = deps
    this.#trackers = new TrackerSync(deps)
    this.#syncs = new SyncQueue(deps)
  }

  /**
   * Fetches first, so that a source that cannot be fetched is never registered. Throws `HubError`, and the errors of
   * `register`, which adds the project to the store for a request that may be sent again.
   */
  async add(
    id: ProjectId,
    { source, base = null }: { source: string; base?: string | null | undefined },
    register: () => unknown = () => this.#deps.store.addProject({ id, source, chosenBase: base }),
    { signal, watch }: Partial<Pick<AddingWork, 'signal' | 'watch'>> = {},
  ): Promise<ProjectRow> {
    const project = { id, source, baseBranch: base }
    await this.#deps.hub.unsettled(id)
    const { commit } = await this.#deps.hub.fetch(project, signal, 0, watch)
    await this.#deps.hub.fetchModules(project, commit, { signal, ...(watch && { watch }), anew: true })
    signal?.throwIfAborted() // from now on it is a project
    watch?.({ doing: 'reading its files and beads', percent: null, bytes: null })
    await register()
    await this.#deps.hub.settled(id)
    await this.sync(id, 'added')
    return this.#row(id)
  }

  open(project: ProjectId, started: ProjectSettings | null = null): { hub: HubProject; settings: ProjectSettings } {
    const row = this.#row(project)
    const settings = started === null ? settingsOf(row) : withNewer(started)
    if (!settings) throw new Error(row.problem?.text ?? `the project ${project} has not been read yet`)
    return { hub: hubProject(row), settings }
  }

  /** Why nothing of this project can start, or null. */
  obstacle(row: ProjectRow): Reason | null {
    return projectObstacle(this.#deps, row, this.#models.get(row.id) ?? null) ?? this.#deps.base.obstacle(row)
  }

  model(project: ProjectId): ModelCheck | null {
    return this.#models.get(project) ?? null
  }

  /** The tracker that keeps the project's beads; null before the first sync. */
  tracker(project: ProjectId): TrackerInfo | null {
    return this.#trackers.info(project)
  }

  /** The name of the tracker whose claims count for people; null: there is none. */
  claimsIn(row: ProjectRow): string | null {
    return this.#trackers.claimsIn(row)
  }

  /** Claims a bead for an execution that is to start. Throws `TrackerError`. */
  claim(row: ProjectRow, bead: BeadId): Promise<Claim> {
    return this.#trackers.claim(row, bead)
  }

  /** Forgets a removed project: another may get its id. */
  forget(project: ProjectId): void {
    this.#models.delete(project)
    this.#trackers.forget(project)
    this.#fetchWarnings.delete(project)
    this.#unread.delete(project)
    this.#secondLooks.forget(project)
    this.#readAt.delete(project)
    this.#syncs.forget(project)
    this.#deps.base.forget(project)
  }

  /** Reads settings and beads again, and writes to the tracker. Calls that come while a sync is running share the next one. */
  async sync(project: ProjectId, cause: SyncCause = 'execution'): Promise<void> {
    await this.#syncs.inTurn(project, cause, () => this.#sync(project, cause === 'asked'))
    await this.#deps.base.look(project)
  }

  /**
   * Reads settings and beads again if the base branch has moved since, or its remote answers again. Never rejects:
   * without an answer, the last reading counts.
   */
  async refresh(project: ProjectId): Promise<void> {
    const { store, hub, log } = this.#deps
    const row = store.project(project)
    if (!row) return
    try {
      const { commit } = await hub.fetch(hubProject(row))
      if (commit === this.#readAt.get(project) && (row.problem?.kind !== 'repository' || (await this.#isInTheWay(row))))
        return await this.#deps.base.look(project) // somebody may have pushed to the work branch
      await this.sync(project)
    } catch (error) {
      if (store.project(project)) log.info({ error, project }, 'continuing with what was read of a project before')
    }
  }

  /** The last syncs, newest first, and whether one is running. */
  syncs(project: ProjectId): { running: boolean; runs: SyncRun[] } {
    return this.#syncs.of(project)
  }

  /** Follows the trackers of working trees until `stop`, and writes pending changes to them. */
  async follow(stop: AbortSignal): Promise<void> {
    const { store, clock } = this.#deps
    const watch = new TrackerWatch()
    const looks = new Looks(clock, stop)
    const stopped = aborted(stop)
    try {
      while (!stop.aborted) {
        const projects = store.projects()
        watch.only(projects.map(({ source }) => source))
        for (const row of projects) {
          if (stop.aborted) break
          const begun = looks.begin(row.id, () => this.#look(row).then(() => this.#lookAgain(row)))
          await Promise.race([begun, stopped]) // trackers that do not answer must not delay the stop
        }
        await Promise.race([watch.wait(clock, POLL_MS, stop), looks.failed])
      }
    } finally {
      watch.close()
    }
  }

  async #look(row: ProjectRow): Promise<void> {
    const now = this.#deps.clock.monotonic()
    if ((this.#unread.get(row.id) ?? -Infinity) > now) return
    try {
      if (!(await this.#trackers.isDue(row))) return
      // Also for an unreadable repository: else it would be called unreadable long after its repair.
      const all = row.problem?.kind === 'repository'
      await this.#syncs.inTurn(row.id, 'tracker', () => (all ? this.#sync(row.id) : this.#syncTracker(row.id)))
    } catch (error) {
      this.#unread.set(row.id, now + UNREAD_MS)
      this.#deps.log.warn({ error, project: row.id }, 'could not read a tracker; trying again later')
    }
  }

  /** An obstacle to starting may have been removed in the repository; nobody tells us. */
  async #lookAgain(row: ProjectRow): Promise<void> {
    const { clock, store } = this.#deps
    const isRead = row.syncedAt !== null || row.problem !== null
    const reason = isRead ? this.obstacle(row) : null
    const obstacle = reason?.code === 'base_proving' ? null : (reason?.text ?? null) // over by itself
    const isWaitedFor = () =>
      store.liveExecutions().some(({ project, state }) => project === row.id && state === 'QUEUED')
    if (!this.#secondLooks.isDue(row, obstacle, clock.monotonic(), isWaitedFor)) return
    await this.refresh(row.id)
  }

  /** Syncs the tracker alone: its file has changed, or a change waits to be written to it. */
  async #syncTracker(project: ProjectId): Promise<void> {
    const { store, hub, clock } = this.#deps
    const row = store.project(project)
    if (!row) return
    const fetched = await hub.current(hubProject(row))
    const ofTracker = await this.#trackers.sync(row, fetched, clock.now())
    const warnings = [...(this.#fetchWarnings.get(project) ?? []), ...ofTracker]
    if (store.project(project)) await store.updateProject(project, { warnings, syncedAt: clock.now() })
  }

  /** `anew`: for a person, who may have repaired something. */
  async #sync(project: ProjectId, anew = false): Promise<void> {
    const { store, hub, clock } = this.#deps
    if (!store.project(project)) return
    const warnings: string[] = []
    try {
      const fetched = await fetchBaseBranch(hub, this.#row(project), warnings)
      this.#fetchWarnings.set(project, [...warnings])
      this.#readAt.set(project, fetched.commit)
      await hub.fetchModules(hubProject(this.#row(project)), fetched.commit, { anew })
      const { settings } = await readProjectSettings(this.#deps, project, fetched)
      const { model: name, scenario, agent } = settings
      const model = await this.#deps.gateway.check(name, scenario, apiOfAgent(agent), project)
      this.#models.set(project, model)
      // Before the beads: while the settings are unknown, every bead would show that as its reason.
      const problem = await this.#inTheWay(this.#row(project), settings.workBranch, warnings)
      for (const rewrite of await hub.lostByRewrite(project, settings)) warnings.push(rewrittenText(settings, rewrite))
      const lost = await hub.lostOnRemote(project, settings)
      if (lost > 0) warnings.push(lostOnRemoteText(settings.workBranch, lost))
      this.#fetchWarnings.set(project, [...warnings])
      await store.updateProject(project, {
        name: settings.name,
        settings: JSON.stringify(settings),
        baseCommit: fetched.commit,
        problem,
      })
      warnings.push(...(await this.#trackers.sync(this.#row(project), fetched)))
      await store.updateProject(project, { warnings, syncedAt: clock.now() })
    } catch (error) {
      if (!store.project(project)) return // removed while it was read
      if (!(error instanceof HubError) && !(error instanceof ConfigError)) throw error
      // The last reading is kept; the sentence says why nothing new starts.
      const kind = error instanceof ConfigError ? 'configuration' : 'repository'
      await store.updateProject(project, {
        problem: { kind, text: shortened(error.message, LONGEST_PROBLEM) },
        warnings,
      })
      if (error instanceof ConfigError) {
        const fetched = await hub.current(hubProject(this.#row(project)))
        if (fetched) warnings.push(...(await this.#trackers.sync(this.#row(project), fetched)))
        await store.updateProject(project, { warnings })
      }
    }
  }

  /** The reason that would block publishing, found before any work is done; harmless facts become warnings. */
  async #inTheWay({ id, source }: ProjectRow, branch: string, warnings: string[]): Promise<ProjectRow['problem']> {
    const { hub } = this.#deps
    const local = await hub.local(source, branch)
    if (local && local.hooks.length > 0) warnings.push(hooksText(local.hooks))
    if (local?.checkedOutIn) return { kind: 'repository', text: checkedOutText(branch, local.checkedOutIn) }
    const other = await hub.inTheWayOf(id, branch)
    return other === null ? null : { kind: 'repository', text: takenText(branch, other) }
  }

  async #isInTheWay(row: ProjectRow): Promise<boolean> {
    const branch = settingsOf(row)?.workBranch
    return branch !== undefined && (await this.#inTheWay(row, branch, [])) !== null
  }

  #row(project: ProjectId): ProjectRow {
    const row = this.#deps.store.project(project)
    if (!row) throw new Error(`no project ${project}`)
    return row
  }
}
