import { isClonedBy } from '@beadloom/core/environment/readers/git-parts.ts'
import type { GitOrder, SessionOrder } from '@beadloom/core/execution/session-order.ts'
import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'
import type { Hub, HubProject, Modules } from '../ports/hub.ts'

type Ordered = Pick<SessionOrder, 'git' | 'work'>

/**
 * Adds the submodules of the commit that an order checks out, and fetches them first if possible. A session that
 * continues in its workspace, or only saves it, keeps them as they are.
 */
export async function withModules<T extends Ordered>(
  hub: Pick<Hub, 'fetchModules' | 'tip'>,
  { project, settings }: { project: HubProject; settings: Pick<ProjectSettings, 'setup'> },
  order: T,
  signal: AbortSignal,
): Promise<{ order: T; missing: Modules['missing'] }> {
  const { work, git } = order
  if (work.kind === 'save' || (work.kind === 'work' && !work.fresh)) return { order, missing: [] }
  const onBranch = work.kind === 'work' && work.leaves === undefined
  const commit = onBranch ? ((await hub.tip(project.id, `refs/heads/${git.branch}`)) ?? git.commit) : git.commit
  const found = await hub.fetchModules(project, commit, { signal })
  return { order: { ...order, git: withThose(found, git, settings) }, missing: found.missing }
}

/**
 * Adds submodules, except those that `setup` clones itself. Absent if there are none: a session that was begun ahead
 * does not know the key.
 */
export function withThose({ here }: Modules, git: GitOrder, { setup }: Pick<ProjectSettings, 'setup'>): GitOrder {
  const modules = here.filter(({ path }) => !isClonedBy(setup, path))
  return modules.length === 0 ? git : { ...git, modules }
}
