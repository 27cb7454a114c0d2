import { WORKSPACE, type GitOrder, type SessionOrder, type Work } from '@beadloom/core/execution/session-order.ts'
import type { ProjectId, SessionId } from '@beadloom/core/records/ids.ts'
import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'
import type { Hub } from '../../ports/hub.ts'
import type { Running, Sandbox, SessionHandlers } from '../../ports/sandbox.ts'
import { envOf } from '../begin-session.ts'
import { refuse } from '../model-access.ts'
import { withThose } from '../modules-for.ts'

/** `out`: its way to hosts outside, if it has one. */
type Apart = {
  id: SessionId
  project: ProjectId
  git: GitOrder
  work: Work
  settings: Pick<ProjectSettings, 'env' | 'setup'>
  proxied?: Pick<SessionOrder, 'proxied'>
  out?: Pick<SessionHandlers, 'egress'>
}

/**
 * Starts a session that belongs to no execution: it may read the project from the hub, and reach the hosts of its way
 * out. It gets the submodules that the hub has.
 */
export async function startApart(
  { hub }: { hub: Pick<Hub, 'serve' | 'modules'> },
  sandbox: Sandbox,
  { id, project, settings, git: wanted, work, proxied = {}, out = {} }: Apart,
): Promise<Running> {
  const git = withThose(await hub.modules(project, wanted.commit), wanted, settings)
  return sandbox.run({
    order: { session: id, execution: null, workspace: WORKSPACE, git, ...envOf(settings), work, ...proxied },
    handlers: { git: hub.serve({ project, execution: null, pushable: null }).answer, model: refuse, ...out },
    onRequest: () => {},
  })
}
