import { sessionIdOf, type SessionId } from '@beadloom/core/ids.ts'
import {
  LINK_PORT,
  WORKSPACE,
  type GitOrder,
  type SessionOrder,
  type Work,
} from '@beadloom/core/execution/session-order.ts'
import type { SessionKind } from '@beadloom/core/execution/session.ts'
import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'
import type { InPhase } from '../ports/store/phases.ts'
import { beadloom } from '@beadloom/core/project/identity.ts'
import type { LiveExecution } from '../execution/live-execution.ts'
import { coAuthorOf, signatureOf } from '../execution/signature.ts'
import { proxied } from './ways-out.ts'

/**
 * Stores a session that begins now. Sessions are numbered over the whole execution, whatever their kind. An agent's is
 * stored with its name and the model that it is given: the gateway lets it have no other.
 */
export async function beginSession(
  { id: execution, deps: { store }, settings }: LiveExecution,
  kind: SessionKind,
  attempt: number,
  phase?: InPhase,
  service?: string,
): Promise<SessionId> {
  const number = store.sessions(execution).length + 1
  const id = sessionIdOf(execution, number)
  const { model, agent } = kind === 'work' ? settings : { model: null, agent: null }
  await store.startSession({
    id,
    execution,
    number,
    kind,
    attempt,
    model,
    agent,
    ...(phase && { phase }),
    ...(service !== undefined && { service }),
  })
  return id
}

/** The hub as a container sees it, through the link. */
const HUB_URL = `http://127.0.0.1:${LINK_PORT}/git/hub.git`

/** What a session checks out, and as whom it commits. */
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

/** What a session's process is told to do, in the workspace. */
export const orderOf = (live: LiveExecution, session: SessionId, git: GitOrder, work: Work): SessionOrder => ({
  session,
  execution: live.id,
  workspace: WORKSPACE,
  git,
  ...envOf(live.settings),
  work,
  ...proxied(live.settings, work),
})

/** Left out where there is none: a session that was begun ahead knows no such key. */
export const envOf = ({ env }: Pick<ProjectSettings, 'env'>): Pick<SessionOrder, 'env'> =>
  Object.keys(env).length === 0 ? {} : { env }
