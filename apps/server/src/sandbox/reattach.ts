import type { Execution } from '@beadloom/core/execution/execution.ts'
import type { Session } from '@beadloom/core/execution/session.ts'
import type { ExecutionDeps } from '../execution/deps.ts'
import { Link } from '../link/link.ts'
import type { ContainerState, OwnedContainer } from '../ports/engine.ts'
import { AGENT, linkFolderOf, type Sandbox } from './open-sandbox.ts'

const STOPPED = 'the server stopped while it ran'
const NEVER_RAN = 'the server stopped before it started'

/**
 * What is left of an execution that was RUNNING: its agent's container, with a new link in the old place, or null when
 * there is none to continue with. Whatever else it had is removed, and the sessions in there end: they are repeated.
 *
 * | the agent's container | its last session | what follows |
 * |---|---|---|
 * | runs | has begun | both continue; the session is adopted |
 * | has ended since the session began | has begun | the session is adopted: its log is read to the end, and it is judged |
 * | has ended before that | has begun | that start never happened: the session ends, the workspace is kept |
 * | any | has ended | the container is kept for the next session, stopped |
 * | was never started, or no session was ever in it | any | removed: there is nothing in it |
 * | gone | has begun | the session ends with whoever resumes the execution |
 */
export async function reattach(
  deps: ExecutionDeps,
  execution: Execution,
  containers: OwnedContainer[],
): Promise<Sandbox | null> {
  const { engine, store } = deps
  const work = containers.find(({ kind }) => kind === AGENT.kind)
  for (const { id } of containers) if (id !== work?.id) await engine.remove(id)
  const sessions = store.sessions(execution.id)
  for (const session of sessions) if (session.kind !== AGENT.kind) await end(deps, session, STOPPED)

  const last = sessions.findLast(({ kind }) => kind === AGENT.kind)
  const state = work ? await engine.inspect(work.id) : null
  if (!work || !state || state.state === 'gone') return null
  if (!last || state.state === 'created') {
    if (last) await end(deps, last, NEVER_RAN)
    await engine.remove(work.id)
    return null
  }
  if (last.state !== 'ended' && isBefore(state, last)) await end(deps, last, NEVER_RAN)
  if (last.state === 'ended') await engine.stop(work.id, 0) // what was saved there is saved anew
  const folder = linkFolderOf(deps.linkFolder, execution.id, AGENT.serial)
  return { id: work.id, link: await Link.open(folder, deps.clock, deps.linkLimits) }
}

/** The container's last run was another session's: this one was to be started next. */
const isBefore = (state: ContainerState, session: Session): boolean =>
  state.state === 'exited' && session.state === 'starting' && state.exit.startedAt < session.startedAt

async function end({ store }: ExecutionDeps, session: Session, why: string): Promise<void> {
  if (session.state !== 'ended') await store.endSession(session.id, 'infra_error', null, why)
}
