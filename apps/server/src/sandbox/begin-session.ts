import type { SessionId } from '@beadloom/core/records/ids.ts'
import {
  LINK_PORT,
  WORKSPACE,
  type GitOrder,
  type SessionOrder,
  type Work,
} from '@beadloom/core/execution/session-order.ts'
import type { SessionKind } from '@beadloom/core/records/session.ts'
import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'
import type { InPhase } from '../ports/store/phases.ts'
import { beadloom } from '@beadloom/core/records/identity.ts'
import { modelOf, type LiveExecution } from '../execution/live-execution.ts'
import { coAuthorOf, signatureOf } from '../execution/signature.ts'
import { proxied } from './ways-out.ts'

/**
 * Stores a session that begins now. Sessions are numbered over the whole execution, whatever their kind. An agent's
 * session is stored with its name and its model: the gateway lets it use no other.
 */
export async function beginSession(
  live: LiveExecution,
  kind: SessionKind,
  attempt: number,
  phase?: InPhase,
  service?: string,
): Promise<SessionId> {
  const { id: execution, settings } = live
  const { store } = live.deps
  // A change is for those that do the work, and not for the reviewer of a phase.
  const own = phase?.role === 'review' ? settings.model : modelOf(live)
  const [model, agent] = kind === 'work' ? [own, settings.agent] : [null, null]
  const { id } = await store.startSession({
    execution,
    kind,
    attempt,
    model,
    agent,
    ...(phase && { phase }),
    ...(service !== undefined && { service }),
  })
  return id
}

/** The hub's address for a container, through the link. */
const HUB_URL = `http://127.0.0.1:${LINK_PORT}/git/hub.git`

/** The checkout of a session, and the author of its commits. */
export const checkoutOf = (branch: string, commit: string): GitOrder => ({
  url: HUB_URL,
  branch,
  commit,
  author: beadloom,
})

/** The same for an agent, whose commits are signed as the execution's. */
export async function signedCheckoutOf(live: LiveExecution, branch: string, commit: string): Promise<GitOrder> {
  const by = await signatureOf(live)
  const coAuthor = coAuthorOf(live, by)
  return { ...checkoutOf(branch, commit), ...by, ...(coAuthor && { coAuthor }) }
}

/** The order for a session's process, in the workspace. */
export const orderOf = (live: LiveExecution, session: SessionId, git: GitOrder, work: Work): SessionOrder => ({
  session,
  execution: live.id,
  workspace: WORKSPACE,
  git,
  ...envOf(live.settings),
  work,
  ...proxied(live.settings, work),
})

/** Absent if there is none: a session that was begun ahead does not know the key. */
export const envOf = ({ env }: Pick<ProjectSettings, 'env'>): Pick<SessionOrder, 'env'> =>
  Object.keys(env).length === 0 ? {} : { env }
