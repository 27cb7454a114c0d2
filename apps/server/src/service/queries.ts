import type { BeadCard, BeadView, DiffView, ExecutionView, Page, PatchView, ProjectView } from '@beadloom/core/api.ts'
import { isTerminal, type Execution } from '@beadloom/core/execution.ts'
import type { BeadId, ExecutionId, ProjectId } from '@beadloom/core/ids.ts'
import type { SyncView } from '@beadloom/core/sync-api.ts'
import type { SystemView } from '@beadloom/core/system-api.ts'
import { compareText } from '@beadloom/core/ready.ts'
import { Problem, type BeadFilter, type DiffWish, type ExecutionsFilter, type Queries } from '../http/ports.ts'
import { HubError, type Hub } from '../ports/hub.ts'
import { pipelineOrder, type Store } from '../ports/store.ts'
import { sectionsOf } from './log-sections.ts'
import type { ServerViews } from './views.ts'

export type QueryDeps = {
  store: Store
  hub: Hub
  views: ServerViews
  metrics: () => string
  sync: (project: ProjectId) => Promise<SyncView | Problem>
  system: () => Promise<SystemView>
}

const PATCH_LIMIT_BYTES = 1024 * 1024

export const noProject = (id: string) =>
  new Problem(
    404,
    'not_found',
    `there is no project "${id}": beadloom project list (GET /api/projects) shows those there are`,
  )
export const noBead = (project: string, id: string) =>
  new Problem(404, 'not_found', `there is no bead "${id}" in the project "${project}"`)
export const noExecution = (id: string) => new Problem(404, 'not_found', `there is no execution "${id}"`)

/** What the API answers, over the store and the views. */
export function createQueries({ store, hub, views, metrics, sync, system }: QueryDeps): Queries {
  const bead = (project: ProjectId, id: BeadId): BeadView | Problem =>
    store.project(project) ? (views.beadInFull(project, id) ?? noBead(project, id)) : noProject(project)

  return {
    epoch: store.epoch,
    seq: () => store.seq(),
    status: () => views.status(),
    system,
    metrics,
    listProjects: (): Page<ProjectView> => ({ items: views.projects() }),
    project: (id) => views.project(id) ?? noProject(id),
    syncStatus: sync,
    listBeads: (project, filter) =>
      store.project(project) ? listBeads(views.cards(project), filter) : noProject(project),
    bead,
    executions: (filter) => listExecutions(store, views, filter),
    execution: (id) => views.execution(id) ?? noExecution(id),
    events(id, after, limit) {
      const execution = store.execution(id)
      if (!execution) return noExecution(id)
      const items = store
        .events(id, after, limit)
        .map(({ seq, at, session, type, line, data }) => ({ seq, at, session, type, line, data }))
      const settled = isTerminal(execution.state) && store.pipelineSteps(id).length === pipelineOrder.length
      return { items, ended: settled && items.length < limit }
    },
    onEvent: (listener) => store.onEvent(listener),
    diff: (id, wish = {}) => withRange(store, id, wish, (range) => diffOf(hub, range, wish)),
    patch: (id, path, wish = {}) => withRange(store, id, wish, (range) => patchOf(hub, range, path, wish)),
    sections: (session) => sectionsOf(store, session),
  }
}

function listBeads(cards: BeadCard[], filter: BeadFilter): Page<BeadCard> | Problem {
  const matching = cards
    .filter((card) => !card.hidden && (!filter.status || card.status === filter.status))
    .filter((card) => filter.ready === undefined || card.ready === filter.ready)
    .sort((a, b) => a.priority - b.priority || b.createdAt - a.createdAt || compareText(a.id, b.id))
  const start = filter.cursor === undefined ? 0 : Number(filter.cursor)
  if (!Number.isSafeInteger(start) || start < 0)
    return new Problem(400, 'bad_cursor', 'this cursor is not one of ours; start without it')
  const items = matching.slice(start, start + filter.limit)
  const end = start + items.length
  return end < matching.length ? { items, next: String(end) } : { items }
}

function listExecutions(store: Store, views: ServerViews, filter: ExecutionsFilter): Page<ExecutionView> | Problem {
  const { cursor, ...rest } = filter
  const before = cursor === undefined ? undefined : Number(cursor)
  if (before !== undefined && !Number.isSafeInteger(before))
    return new Problem(400, 'bad_cursor', 'this cursor is not one of ours; start without it')
  const rows = store.executions(before === undefined ? rest : { ...rest, before })
  const items = rows.flatMap((row) => views.execution(row.id) ?? [])
  const last = rows.at(-1)
  return last && rows.length === filter.limit ? { items, next: String(last.queuedAt) } : { items }
}

type Range = { project: ProjectId; from: string | null; to: string | null }

async function withRange<T>(
  store: Store,
  id: ExecutionId,
  wish: DiffWish,
  answer: (range: Range) => Promise<T | Problem>,
): Promise<T | Problem> {
  const execution = store.execution(id)
  if (!execution) return noExecution(id)
  try {
    const { from = execution.baseCommit, to = target(execution) } = wish
    return await answer({ project: execution.project, from, to })
  } catch (error) {
    if (error instanceof HubError) return new Problem(502, 'git_failed', error.message)
    throw error
  }
}

/** The verified commit, else whatever is on the branch now. */
const target = (execution: Execution): string | null =>
  execution.commit ?? (execution.baseCommit ? `refs/heads/${execution.branch}` : null)

const ignoring = ({ whitespace }: DiffWish) => ({ ignoreSpace: whitespace === 'ignore' })

async function diffOf(hub: Hub, { project, from, to }: Range, wish: DiffWish): Promise<DiffView> {
  const commit = to?.startsWith('refs/') ? await hub.tip(project, to) : to
  if (!from || !commit) return { from, to: commit, files: [] }
  return { from, to: commit, files: await hub.diff(project, from, commit, ignoring(wish)) }
}

async function patchOf(hub: Hub, range: Range, path: string, wish: DiffWish): Promise<PatchView | Problem> {
  const diff = await diffOf(hub, range, wish)
  if (!diff.from || !diff.to || !diff.files.some((file) => file.path === path)) {
    return new Problem(404, 'not_found', `"${path}" is not among the changed files`)
  }
  const how = { ...ignoring(wish), ...(wish.context === undefined ? {} : { context: wish.context }) }
  const patch = await hub.patch(range.project, diff.from, diff.to, path, PATCH_LIMIT_BYTES, how)
  return { path, patch, truncated: Buffer.byteLength(patch) >= PATCH_LIMIT_BYTES }
}
