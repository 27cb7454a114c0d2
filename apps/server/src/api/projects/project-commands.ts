import { withoutLogin } from '@beadloom/core/api/projects/adding-api.ts'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import { parseProjectId, projectIdFrom, type ExecutionId, type ProjectId } from '@beadloom/core/records/ids.ts'
import type { AddProject, ChangeProject } from '@beadloom/core/api/projects/project-requests.ts'
import { DATABASE_WAIT_MS } from '../../http/routing/database-gate.ts'
import { Problem } from '../../ports/problem.ts'
import { HubError, type Hub } from '../../ports/hub.ts'
import type { Once } from '../../ports/once.ts'
import type { ProjectRow } from '../../ports/store/projects.ts'
import { StoreError } from '../../ports/store/errors.ts'
import { type Store } from '../../ports/store.ts'
import type { Clock } from '../../process/clock.ts'
import type { Scheduler } from '../../scheduler/scheduler.ts'
import { AddingCancelled, type Adding } from '../../app/projects/adding.ts'
import { nameOf, sourceKind } from '../../app/stored/project-source.ts'
import type { Projects } from '../../app/projects/projects.ts'
import { noProject } from '../../app/stored/refusals.ts'
import type { ServerViews } from '../../app/views/views.ts'

export type ProjectCommandDeps = {
  store: Store
  hub: Hub
  projects: Projects
  views: ServerViews
  scheduler: Scheduler
  clock: Clock
  adding: Adding
  /** Calls `remove`, which takes a project out of the store, and then removes the logs of its executions. */
  removeWithLogs: (project: ProjectId, executions: ExecutionId[], remove: () => Promise<void>) => Promise<void>
  /** Forgets the rest about a removed project; its images can go. */
  removed: (project: ProjectId) => void
}

const shown = ({ views }: ProjectCommandDeps, id: ProjectId): ProjectView | Problem =>
  views.project(id) ?? noProject(id)

export function changeProject(
  deps: ProjectCommandDeps,
  id: ProjectId,
  { autopilot }: ChangeProject,
): ProjectView | Problem {
  const to = { autopilot, ...(autopilot !== false && { autopilotSince: deps.clock.now() }) }
  return change(deps, id, autopilot === undefined ? null : to)
}

/** Reads the tracker and the base branch again; answers afterwards. */
export async function sync(deps: ProjectCommandDeps, id: ProjectId): Promise<ProjectView | Problem> {
  if (!deps.store.project(id)) return noProject(id)
  await deps.projects.sync(id, 'asked')
  deps.scheduler.nudge()
  return shown(deps, id)
}

export const pause = (deps: ProjectCommandDeps, id: ProjectId) => change(deps, id, { paused: true })

export const resume = (deps: ProjectCommandDeps, id: ProjectId) =>
  change(deps, id, { paused: false, autopilotSince: deps.clock.now() })

function change(
  deps: ProjectCommandDeps,
  id: ProjectId,
  to: Parameters<Store['updateProject']>[1] | null,
): ProjectView | Problem {
  const { store, scheduler } = deps
  if (!store.project(id)) return noProject(id)
  if (to) store.updateProject(id, to)
  scheduler.nudge()
  return shown(deps, id)
}

export async function addProject(
  deps: ProjectCommandDeps,
  { source, id, base }: AddProject,
  once: Once,
): Promise<ProjectView | Problem> {
  const { store, projects, views, scheduler, adding } = deps
  if (once.before !== null) {
    const before = once.before as ProjectId
    await projects.sync(before)
    return views.project(before) ?? noProject(before)
  }
  if (!sourceKind(source)) {
    return new Problem(
      400,
      'bad_source',
      `"${source}" is neither an absolute path nor a URL that git can fetch (https://…, ssh://…, git@host:…)`,
    )
  }
  const project = id === undefined ? projectIdFrom(nameOf(source) || 'project') : parseProjectId(id)
  const known = store.project(project)
  const same = known?.source === source ? known : id === undefined ? await sameRepository(deps, source) : null
  if (same)
    return new Problem(
      409,
      'exists',
      `this is the project "${same.id}" already${same.source === source ? '' : ` (${withoutLogin(same.source)})`}; beadloom sync ${same.id} reads it again (with --id it is added once more)`,
    )
  if (known) {
    const what = `a project "${project}" already exists, of ${known.source}; choose another id (--id on the command line)`
    return new Problem(409, 'exists', what)
  }
  if (adding.isAdding(project))
    return new Problem(409, 'exists', `"${project}" is being added; its board will be there when that is done`)
  const register = async () => {
    await store.writable(DATABASE_WAIT_MS) // fetching may have taken minutes
    once.make(
      () => store.addProject({ id: project, source, chosenBase: base ?? null }),
      () => project,
    )
  }
  try {
    await adding.during(project, withoutLogin(source), (work) => {
      const registering = () => {
        work.keep()
        return register()
      }
      return projects.add(project, { source, base }, registering, work)
    })
  } catch (error) {
    if (!(error instanceof HubError) && !(error instanceof AddingCancelled)) throw error
    if (!store.project(project)) await deps.hub.remove(project)
    if (error instanceof AddingCancelled)
      return new Problem(409, 'cancelled', `"${project}" was not added: that was cancelled.`)
    return new Problem(422, `repository_${error.kind.replaceAll('-', '_')}`, error.message)
  }
  scheduler.nudge()
  return views.project(project) ?? noProject(project)
}

/**
 * The project of this repository by another path: two would both do each bead, and publish to the same branches. Null:
 * there is none.
 */
async function sameRepository({ store, hub }: ProjectCommandDeps, source: string): Promise<ProjectRow | null> {
  const place = await hub.placeOf(source)
  if (place === null) return null
  for (const row of store.projects()) if ((await hub.placeOf(row.source)) === place) return row
  return null
}

/** Refused while executions of the project are queued or running. */
export async function removeProject(deps: ProjectCommandDeps, id: ProjectId): Promise<void | Problem> {
  if (!deps.store.project(id)) return noProject(id)
  await deps.hub.unsettled(id)
  try {
    await deps.removeWithLogs(id, idsOfExecutions(deps.store, id), async () => {
      deps.store.removeProject(id)
      deps.projects.forget(id)
      deps.removed(id)
    })
  } catch (error) {
    if (deps.store.project(id)) await deps.hub.settled(id)
    if (error instanceof StoreError && error.kind === 'refused') return new Problem(409, 'not_now', error.message)
    throw error
  }
  await deps.hub.remove(id)
}

const EXECUTIONS_AT_ONCE = 1_000

function idsOfExecutions(store: Store, project: ProjectId): ExecutionId[] {
  const ids: ExecutionId[] = []
  for (let before: number | undefined; ;) {
    const page = store.executions({ project, limit: EXECUTIONS_AT_ONCE, ...(before === undefined ? {} : { before }) })
    ids.push(...page.map(({ id }) => id))
    before = page.at(-1)?.queuedAt
    if (before === undefined || page.length < EXECUTIONS_AT_ONCE) return ids
  }
}
