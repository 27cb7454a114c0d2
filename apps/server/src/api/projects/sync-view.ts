import type { ProjectId } from '@beadloom/core/records/ids.ts'
import type { SyncView } from '@beadloom/core/api/projects/sync-api.ts'
import type { Problem } from '../../ports/problem.ts'
import { HubError, type Hub } from '../../ports/hub.ts'
import type { Store } from '../../ports/store.ts'
import type { Projects } from '../../app/projects/projects.ts'
import { hubProject } from '../../app/stored/stored-settings.ts'
import { noProject } from '../../app/stored/refusals.ts'
import type { ServerViews } from '../../app/views/views.ts'

export type SyncViewDeps = { store: Store; hub: Hub; projects: Pick<Projects, 'syncs'>; views: ServerViews }

const MOST_CHANGES = 100
const MOST_COMMITS = 1000

/** The sync state of a project with its tracker and its remote, from present knowledge: asks nothing outside. */
export async function syncView(deps: SyncViewDeps, id: ProjectId): Promise<SyncView | Problem> {
  const { store, projects, views } = deps
  const row = store.project(id)
  const view = views.project(id)
  if (!row || !view) return noProject(id)
  const { source, baseBranch, workBranch, syncedAt, warnings, tracker } = view
  return {
    project: id,
    ...projects.syncs(id),
    syncedAt,
    problem: row.problem?.text ?? null,
    problemKind: row.problem?.kind ?? null,
    warnings,
    tracker,
    queue: store.trackerWaiting(id, MOST_CHANGES),
    remote: { source, baseBranch, baseCommit: row.baseCommit, workBranch, ...(await distance(deps, id, workBranch)) },
    pushes: store.liveExecutions().flatMap(({ id: execution, project, bead, waits }) => {
      if (project !== id || waits?.kind !== 'push') return []
      const { tries, nextAt, why } = waits
      return [{ execution, bead, tries, nextAt, why }]
    }),
  }
}

async function distance(
  { store, hub }: SyncViewDeps,
  id: ProjectId,
  workBranch: string,
): Promise<{ ahead: number | null; behind: number | null }> {
  const row = store.project(id)
  try {
    const base = row && (await hub.current(hubProject(row)))
    const work = workBranch === '' ? null : await hub.tip(id, `refs/heads/${workBranch}`)
    if (!base || work === null) return { ahead: null, behind: null }
    const [ahead, behind] = await Promise.all([
      hub.commits(id, base.commit, work, MOST_COMMITS),
      hub.commits(id, work, base.commit, MOST_COMMITS),
    ])
    return { ahead: ahead.length, behind: behind.length }
  } catch (error) {
    if (error instanceof HubError) return { ahead: null, behind: null }
    throw error
  }
}
