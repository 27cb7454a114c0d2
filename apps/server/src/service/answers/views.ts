import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'
import type {
  BeadCard,
  BeadView,
  ExecutionView,
  ProjectView,
  ServerStatus,
  TrackerView,
} from '@beadloom/core/api/api.ts'
import type { Bead } from '@beadloom/core/bead/bead.ts'
import { isTerminal } from '@beadloom/core/execution/execution.ts'
import type { BeadId, ExecutionId, ProjectId, SessionId } from '@beadloom/core/ids.ts'
import { executionOf } from '@beadloom/core/ids.ts'
import type { BoardOp } from '@beadloom/core/api/protocol.ts'
import { hiddenOnBoard } from '@beadloom/core/bead/ready.ts'
import { defaultRetry } from '@beadloom/core/execution/retry.ts'
import { warningSigns } from '@beadloom/core/execution/signs.ts'
import type { ProjectRow } from '../../ports/store/projects.ts'
import type { Store } from '../../ports/store.ts'
import type { Clock } from '../../process/clock.ts'
import type { Views } from '../../stream/ports.ts'
import type { Activities } from './activity.ts'
import type { LiveIndex } from '../scheduling/live-index.ts'
import type { PlanMemory } from '../scheduling/plan-memory.ts'
import { settingsOf, type Projects } from '../projects/projects.ts'
import { pullRequestView } from '../pull-requests/pull-request-view.ts'

export type ViewDeps = {
  store: Store
  index: LiveIndex
  plan: PlanMemory
  projects: Projects
  activities: Activities
  clock: Clock
  status: () => ServerStatus
  /** Of the prices of models, ISO 4217. */
  currency: string
}

/** The current state as people and programs see it; the same for the API and the stream. */
export class ServerViews implements Views {
  #deps: ViewDeps

  constructor(deps: ViewDeps) {
    this.#deps = deps
  }

  status(): ServerStatus {
    return this.#deps.status()
  }

  bead(project: ProjectId, id: BeadId): BeadCard | undefined {
    this.#deps.index.refresh()
    const bead = this.#deps.index.beads(project).get(id)
    return bead && this.#card(bead)
  }

  cards(project: ProjectId): BeadCard[] {
    this.#deps.index.refresh()
    return [...this.#deps.index.beads(project).values()].map((bead) => this.#card(bead))
  }

  beadInFull(project: ProjectId, id: BeadId): BeadView | undefined {
    const card = this.bead(project, id)
    const { store, index } = this.#deps
    const beads = index.beads(project)
    const bead = beads.get(id)
    if (!card || !bead) return undefined
    const dependencies = bead.dependencies.map(({ dependsOn, type }) => {
      const target = beads.get(dependsOn as BeadId)
      return { id: dependsOn, type, status: target?.status ?? ('missing' as const), title: target?.title ?? null }
    })
    const dependents = [...beads.values()].flatMap((other) =>
      other.dependencies
        .filter((edge) => edge.dependsOn === id)
        .map(({ type }) => ({ id: other.id, type, status: other.status, title: other.title })),
    )
    const executions = store
      .executions({ project, bead: id, limit: 100 })
      .flatMap((one) => this.execution(one.id) ?? [])
    return { ...card, description: bead.description, dependencies, dependents, executions }
  }

  execution(id: ExecutionId): ExecutionView | undefined {
    const { store, activities, projects } = this.#deps
    const execution = store.execution(id)
    if (!execution) return undefined
    const row = store.project(execution.project)
    const settings = row && settingsOf(row)
    const sessions = store.sessions(id)
    const verifications = store.verifications(id)
    return {
      ...execution,
      beadTitle: store.bead(execution.project, execution.bead)?.title ?? '',
      activity: isTerminal(execution.state) ? null : activities.of(id),
      sessions,
      verifications,
      followUps: store.followUpsOf(id),
      signs: warningSigns({ execution, sessions, verifications, promptLengths: store.promptLengths(id) }),
      timeoutMs: settings?.limits.executionTimeoutMs ?? null,
      modelNote: projects.model(execution.project)?.note ?? null,
      ...(settings && limitsOf(settings.limits)),
      ...(execution.tokens.costMicros !== undefined && { currency: this.#deps.currency }),
    }
  }

  project(id: ProjectId): ProjectView | undefined {
    this.#deps.index.refresh()
    const row = this.#deps.store.project(id)
    return row ? this.#projectView(row) : undefined
  }

  projects(): ProjectView[] {
    this.#deps.index.refresh()
    return this.#deps.store.projects().map((row) => this.#projectView(row))
  }

  *home(): Iterable<BoardOp> {
    for (const value of this.projects()) yield { op: 'put', kind: 'project', value }
    yield { op: 'put', kind: 'status', value: this.status() }
  }

  board(project: ProjectId): Iterable<BoardOp> | undefined {
    this.#deps.index.refresh()
    return this.#deps.store.project(project) ? this.#boardOps(project) : undefined
  }

  session(id: SessionId): 'live' | 'ended' | undefined {
    const session = this.#deps.store.session(id)
    if (!session) return undefined
    const execution = this.#deps.store.execution(executionOf(id))
    return session.state === 'ended' && execution ? 'ended' : 'live'
  }

  *#boardOps(project: ProjectId): Iterable<BoardOp> {
    const { index } = this.#deps
    for (const id of index.beads(project).keys()) {
      const value = this.bead(project, id)
      if (value) yield { op: 'put', kind: 'bead', value }
    }
    for (const id of index.newestExecutions(project)) {
      const value = this.execution(id)
      if (value) yield { op: 'put', kind: 'execution', value }
    }
    for (const { id, kind, project: its } of index.live()) {
      const value = kind === 'review' && its === project ? this.execution(id) : undefined
      if (value) yield { op: 'put', kind: 'execution', value }
    }
  }

  #card(bead: Bead): BeadCard {
    const { index, plan, clock } = this.#deps
    const { project, id, title, status, trackerStatus, priority, type, labels, updatedAt, createdAt } = bead
    const parent = bead.dependencies.find((edge) => edge.type === 'parent-child')?.dependsOn
    const assignee = bead.claimedBy || bead.assignee
    const review = index.verdict(project, id)
    return {
      project,
      id,
      title,
      status,
      trackerStatus,
      priority,
      type,
      labels,
      updatedAt,
      createdAt,
      hidden: hiddenOnBoard(bead),
      ready: plan.ready(project, clock.now()).has(id),
      reason: plan.reason(project, id),
      execution: index.newestExecution(project, id),
      ...(review === null ? {} : { review }),
      ...(bead.baseBranch === undefined ? {} : { baseBranch: bead.baseBranch }),
      ...(parent === undefined ? {} : { parent }),
      ...(assignee ? { assignee } : {}),
    }
  }

  #trackerView(project: ProjectId): TrackerView | null {
    const info = this.#deps.projects.tracker(project)
    if (info === null) return null
    const { waiting, problem } = this.#deps.store.trackerState(project)
    return { kind: info.kind, text: info.text, writable: info.writable, waiting, problem }
  }

  #projectView(row: ProjectRow): ProjectView {
    const { store, projects, plan, clock, index } = this.#deps
    const settings = settingsOf(row)
    const pullRequest = store.newestPullRequest(row.id)
    const model = projects.model(row.id)
    const beadCounts = {
      open: 0,
      in_progress: 0,
      blocked: 0,
      timeout: 0,
      done: 0,
      ready: plan.ready(row.id, clock.now()).size,
    }
    for (const bead of index.beads(row.id).values()) if (!hiddenOnBoard(bead)) beadCounts[bead.status]++
    return {
      id: row.id,
      name: row.name || row.id,
      source: withoutCredentials(row.source),
      baseBranch: settings?.baseBranch ?? null,
      workBranch: settings?.workBranch ?? '',
      autopilot: row.autopilot ?? settings?.autopilot ?? false,
      paused: row.paused,
      problem: row.problem ?? projects.obstacle(row)?.text ?? null,
      warnings: row.warnings,
      agent: settings?.agent ?? '',
      model: model?.name ?? null,
      modelNote: model?.note ?? null,
      test: settings?.test ?? null,
      setup: settings?.setup ?? null,
      retry: settings?.retry ?? defaultRetry,
      maxAttempts: settings?.maxAttempts ?? 1,
      beadCounts,
      syncedAt: row.syncedAt,
      tracker: this.#trackerView(row.id),
      pullRequest: pullRequest && pullRequestView(pullRequest),
      tokens: {
        today: store.tokensOfDay(row.id, clock.now()),
        perDay: settings?.limits.maxTokensPerDay ?? null,
        currency: this.#deps.currency,
      },
    }
  }
}

/** Nothing where nothing is limited, which is nearly everywhere. */
function limitsOf({ maxTokensPerSession, maxTokens, maxTokensPerDay }: ProjectSettings['limits']) {
  const tokenLimits = {
    session: maxTokensPerSession ?? null,
    execution: maxTokens ?? null,
    day: maxTokensPerDay ?? null,
  }
  return Object.values(tokenLimits).some((limit) => limit !== null) ? { tokenLimits } : {}
}

/** A URL may carry a password that somebody put there; it is nobody's to see. */
function withoutCredentials(source: string): string {
  return source.replace(/^([a-z+]+:\/\/)[^/@]*@/i, '$1')
}
