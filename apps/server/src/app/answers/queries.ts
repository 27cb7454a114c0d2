import type { AgentView } from '@beadloom/core/api/server/agents-api.ts'
import type { BeadCard, BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { Page } from '@beadloom/core/api/api.ts'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import type { BeadFilterWord, ListedBead } from '@beadloom/core/records/bead.ts'
import type { BeadId, ProjectId } from '@beadloom/core/records/ids.ts'
import type { SyncView } from '@beadloom/core/api/projects/sync-api.ts'
import type { SystemView } from '@beadloom/core/api/server/system-api.ts'
import { compareText, hiddenOnBoard } from '@beadloom/core/bead/ready.ts'
import type { BeadFilter, ExecutionsFilter, Queries } from '../../http/ports.ts'
import type { Problem } from '../../ports/problem.ts'
import type { ProjectRow } from '../../ports/store/projects.ts'
import type { ProofView } from '@beadloom/core/api/projects/environment-api.ts'
import type { Aside } from '../../ports/aside.ts'
import type { Hub } from '../../ports/hub.ts'
import type { Clock } from '../../process/clock.ts'
import type { Store } from '../../ports/store.ts'
import { activity } from './activity-query.ts'
import { budget, budgetCsv } from './budget-query.ts'
import { dependenciesOf } from './dependencies-query.ts'
import { diffQueries } from './diff-queries.ts'
import { evidenceImageOf } from '../reviews/evidence-query.ts'
import { egressOf, egressOfProject } from './egress-query.ts'
import { environmentOf } from './environment-query.ts'
import { eventsOf } from './events-query.ts'
import { callsOf } from './log-calls.ts'
import { sectionsOf } from './log-sections.ts'
import { badCursor, noBead, noExecution, noProject } from '../stored/refusals.ts'
import type { ServerViews } from '../views/views.ts'
import { whyOf } from './why-query.ts'

export type QueryDeps = {
  store: Store
  hub: Hub
  aside: Aside
  views: ServerViews
  metrics: () => string
  ready: () => { ok: boolean; reasons: string[] }
  /** Whether the commit that a project's beads start from is fit to work on. */
  base: (row: ProjectRow) => ProofView | null
  sync: (project: ProjectId) => Promise<SyncView | Problem>
  system: () => Promise<SystemView>
  agents: () => Promise<AgentView[]>
  clock: Pick<Clock, 'now'>
  /** Currency of model prices, ISO 4217. */
  currency: string
  /** Whether the server knows people beside the access token. */
  people: boolean
}

/** The API's answers, over the store and the views. */
export function createQueries(deps: QueryDeps): Queries {
  const { store, hub, aside, views, metrics, ready, base, sync, system, agents } = deps
  const bead = (project: ProjectId, id: BeadId): BeadView | Problem =>
    store.project(project) ? (views.beadInFull(project, id) ?? noBead(project, id)) : noProject(project)

  return {
    epoch: store.epoch,
    seq: () => store.seq(),
    status: () => views.status(),
    system,
    agents: async () => ({ items: await agents() }),
    metrics,
    ready,
    listProjects: (): Page<ProjectView> => ({ items: views.projects() }),
    project: (id) => views.project(id) ?? noProject(id),
    environment: (id) => environmentOf({ store, hub, aside, base }, id),
    egressOfProject: (id) => egressOfProject(store, id),
    egressOf: (id) => egressOf(store, id),
    activity: (id, days) => activity(deps, id, days),
    budget: (id, days) => budget(deps, id, days),
    budgetCsv: (id, days) => budgetCsv(deps, id, days),
    syncStatus: sync,
    listBeads: (project, filter) => (store.project(project) ? listBeads(views, project, filter) : noProject(project)),
    dependencies: (project) => dependenciesOf(store, project),
    bead,
    executions: (filter) => listExecutions(store, views, filter),
    execution: (id) => views.execution(id) ?? noExecution(id),
    evidenceImage: (id) => evidenceImageOf(store, id),
    why: (id, path, text) => whyOf(store, id, path, text),
    events: (id, after, limit) => eventsOf(store, id, after, limit),
    onEvent: (listener) => store.onEvent(listener),
    ...diffQueries({ store, hub }),
    sections: (session) => sectionsOf(store, session),
    toolCalls: (session, lines) => callsOf(store, session, lines),
  }
}

const is = (bead: ListedBead, word: BeadFilterWord): boolean =>
  word === 'failed' ? bead.failed === true : bead.status === word

function listBeads(views: ServerViews, project: ProjectId, filter: BeadFilter): Page<BeadCard> | Problem {
  const { status, ready, limit } = filter
  const from = filter.cursor === undefined ? 0 : Number(filter.cursor)
  if (!Number.isSafeInteger(from) || from < 0) return badCursor()
  const to = from + limit
  const { cards, count } = views.cards(project, {
    wants: (bead, isReady) =>
      !hiddenOnBoard(bead) && (!status || is(bead, status)) && (ready === undefined || isReady(bead) === ready),
    order: (a, b) => a.priority - b.priority || b.createdAt - a.createdAt || compareText(a.id, b.id),
    from,
    to,
  })
  return to < count ? { items: cards, next: String(to) } : { items: cards }
}

function listExecutions(store: Store, views: ServerViews, filter: ExecutionsFilter): Page<ExecutionView> | Problem {
  const { cursor, ...rest } = filter
  const before = cursor === undefined ? undefined : Number(cursor)
  if (before !== undefined && !Number.isSafeInteger(before)) return badCursor()
  const rows = store.executions(before === undefined ? rest : { ...rest, before })
  const items = rows.flatMap((row) => views.execution(row.id) ?? [])
  const last = rows.at(-1)
  return last && rows.length === filter.limit ? { items, next: String(last.queuedAt) } : { items }
}
