import { DispatchIndex, type IndexedSchedule } from '@beadloom/core/dispatch/live/dispatch-index.ts'
import type { ExtraUse } from '@beadloom/core/dispatch/dispatch-snapshot.ts'
import type { Reason } from '@beadloom/core/dispatch/reason.ts'
import type { Execution } from '@beadloom/core/records/execution.ts'
import type { BeadId, ExecutionId, ProjectId } from '@beadloom/core/records/ids.ts'
import { LOCAL_ENGINE } from '@beadloom/core/records/engine-name.ts'
import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'
import type { ProjectRow } from '../../ports/store/projects.ts'
import type { Store } from '../../ports/store.ts'
import type { Clock } from '../../process/clock.ts'
import { settingsOf } from '../stored/stored-settings.ts'
import type { ServerFacts } from '../engines/server-facts.ts'
import { asQueued, asRunning, isUnapproved, rulesOf, type RulesDeps } from './project-rules.ts'
import { partsOfPlans } from './running-plans.ts'
import type { SlotPlaces } from './slot-places.ts'

export type FeedDeps = RulesDeps & {
  store: Pick<Store, 'projects' | 'plan' | 'startedSettings'>
  facts: RulesDeps['facts'] & Pick<ServerFacts, 'obstacle'>
  places: Pick<SlotPlaces, 'of' | 'place' | 'engineOf'>
  claims: { waiting(): ReadonlySet<ExecutionId> }
  extraSlots: { uses(): ExtraUse[] }
  clock: Pick<Clock, 'now'>
}

/** Projects and beads whose reasons may have changed since the last call. */
export type ReasonNews = {
  beads: ReadonlyMap<ProjectId, ReadonlySet<BeadId>>
  /** Projects whose earlier reasons are void: they are gone, or were read again. */
  anew: ReadonlySet<ProjectId>
}

/** A project as `DispatchIndex` knows it, and its settings, which are parsed again only if their text changes. */
type Known = { text: string | null; settings: ProjectSettings | null; told: string }

/**
 * Keeps the schedule up to date: only differences in the store and around it since the last schedule go to
 * `DispatchIndex`. Projects are few, so their rules are compared each time; beads and executions only when they have
 * changed.
 */
export class DispatchFeed {
  readonly #deps: FeedDeps
  readonly #dispatch = new DispatchIndex()
  readonly #known = new Map<ProjectId, Known>()
  /** Executions that `DispatchIndex` knows, with the parts that have to be compared each time. */
  readonly #executions = new Map<ExecutionId, Execution>()
  /** Running executions without a recorded engine: they are on their project's. */
  readonly #unplaced = new Set<ExecutionId>()
  /** Queued or running executions that work by a plan, by project. */
  readonly #byPlan = new Map<ProjectId, Map<ExecutionId, Execution>>()
  #isNew = true
  #anew = new Set<ProjectId>()
  readonly #changed = {
    projects: new Set<ProjectId>(),
    beads: new Map<ProjectId, Set<BeadId>>(),
    executions: new Set<ExecutionId>(),
  }

  constructor(deps: FeedDeps) {
    this.#deps = deps
    const { projects, beads, executions } = this.#changed
    deps.index.tell({
      all: () => void (this.#isNew = true),
      project: (id) => void projects.add(id),
      bead: (project, id) => {
        const known = beads.get(project)
        if (known === undefined) beads.set(project, new Set([id]))
        else known.add(id)
      },
      execution: (id) => void executions.add(id),
    })
  }

  schedule(): IndexedSchedule {
    const { places, facts, claims, extraSlots, clock } = this.#deps
    this.#refresh()
    const engines = new Set([...this.#known.values()].map(({ settings }) => places.place(settings).engine))
    return this.#dispatch.schedule({
      now: clock.now(),
      slots: new Map([LOCAL_ENGINE, ...engines].map((engine) => [engine, places.of(engine)])),
      extra: extraSlots.uses(),
      obstacle: facts.obstacle(),
      claiming: claims.waiting(),
    })
  }

  /** An execution has started. */
  countStart(project: ProjectId): void {
    this.#dispatch.countStart(project)
  }

  /** Why a bead does not start, by the last schedule; null: it starts, or needs no reason. */
  why(project: ProjectId, bead: BeadId): Reason | null {
    return this.#dispatch.why(project, bead)
  }

  takeNews(): ReasonNews {
    const news = { beads: this.#dispatch.takeChanged(), anew: this.#anew }
    this.#anew = new Set()
    return news
  }

  #refresh(): void {
    const { index, store } = this.#deps
    index.refresh()
    const { projects, beads, executions } = this.#changed
    const rows = new Map(store.projects().map((row) => [row.id, row]))
    const before = this.#isNew ? [...this.#known.keys()] : projects
    if (this.#isNew)
      for (const id of [...this.#executions.keys(), ...index.live().map(({ id }) => id)]) executions.add(id)
    for (const id of before) this.#drop(id)
    for (const id of this.#known.keys()) if (!rows.has(id)) this.#drop(id)
    for (const row of rows.values()) this.#tellProject(row)
    for (const [project, ids] of beads) for (const id of ids) this.#tellBead(project, id)
    for (const id of new Set([...executions, ...this.#unplaced])) this.#tellExecution(id)
    for (const [project, its] of this.#byPlan) this.#tellParts(project, [...its.values()])
    this.#isNew = false
    for (const one of [projects, beads, executions]) one.clear()
  }

  #drop(id: ProjectId): void {
    this.#known.delete(id)
    this.#anew.add(id)
    this.#dispatch.dropProject(id)
  }

  #tellProject(row: ProjectRow): void {
    const { index, places } = this.#deps
    const { id } = row
    const former = this.#known.get(id)
    const settings = former?.text === row.settings ? former.settings : settingsOf(row)
    const rules = rulesOf(this.#deps, row, settings)
    const share = places.place(settings)
    const told = JSON.stringify([rules, share])
    this.#known.set(id, { text: row.settings, settings, told })
    if (former?.told === told) return
    this.#dispatch.setProject(id, rules, share, {
      isTried: (bead) => index.tried(id).has(bead),
      isOutdated: (bead) => index.outdated(id).has(bead),
      isUnapproved: (bead) => isUnapproved(index, id, bead),
    })
    if (former !== undefined) return
    this.#anew.add(id)
    for (const bead of index.beads(id).values()) this.#dispatch.setBead(id, bead)
    this.#dispatch.setParts(id, new Map())
    const byPlan = this.#byPlan.get(id)
    if (byPlan) this.#tellParts(id, [...byPlan.values()])
  }

  #tellBead(project: ProjectId, id: BeadId): void {
    const bead = this.#deps.index.beads(project).get(id)
    if (bead === undefined) return this.#dispatch.removeBead(project, id)
    this.#dispatch.setBead(project, bead)
    this.#dispatch.touch(project, id)
  }

  #tellExecution(id: ExecutionId): void {
    const { index, places, store } = this.#deps
    const execution = index.liveExecution(id)
    const former = this.#executions.get(id)
    this.#unplaced.delete(id)
    if (former) this.#byPlan.get(former.project)?.delete(id)
    if (execution === null) {
      this.#executions.delete(id)
      return this.#dispatch.dropExecution(id)
    }
    this.#executions.set(id, execution)
    if (execution.kind === 'work' && execution.planVersion !== undefined) this.#noteByPlan(execution)
    if (execution.state === 'QUEUED') return this.#dispatch.setQueued(asQueued(execution))
    if (store.startedSettings(id) === null) this.#unplaced.add(id)
    this.#dispatch.setRunning(asRunning(execution, places.engineOf(execution)))
  }

  #noteByPlan(execution: Execution): void {
    const known = this.#byPlan.get(execution.project) ?? new Map<ExecutionId, Execution>()
    this.#byPlan.set(execution.project, known.set(execution.id, execution))
  }

  #tellParts(project: ProjectId, executions: readonly Execution[]): void {
    this.#dispatch.setParts(project, partsOfPlans(this.#deps.store, project, executions))
    if (executions.length === 0) this.#byPlan.delete(project)
  }
}
