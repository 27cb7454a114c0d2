import { WORKSPACE, type GitOrder, type Work } from '@beadloom/core/execution/session-order.ts'
import type { ProjectId, SessionId } from '@beadloom/core/ids.ts'
import type { Hub } from '../../ports/hub.ts'
import type { Running, Sandbox } from '../../ports/sandbox.ts'
import { refuse } from '../model-access.ts'

/** Starts a session that belongs to no execution: it may read the project from the hub, and nothing else. */
export const startApart = (
  { hub }: { hub: Pick<Hub, 'serve'> },
  sandbox: Sandbox,
  { id, project, git, work }: { id: SessionId; project: ProjectId; git: GitOrder; work: Work },
): Promise<Running> =>
  sandbox.run({
    order: { session: id, execution: null, workspace: WORKSPACE, git, work },
    handlers: { git: hub.serve({ project, execution: null, pushable: null }), model: refuse },
    onRequest: () => {},
  })
