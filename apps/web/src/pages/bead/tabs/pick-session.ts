import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { cameTo } from '@beadloom/core/execution/check-session.ts'
import type { Session } from '@beadloom/core/records/session.ts'

export type Picked = { execution: ExecutionView; session: Session }

/**
 * The session in the address; otherwise the running one, or the last one that went wrong. `watched`: the agent's
 * session that this page already shows. It stays during and after the checks, until the agent's next session.
 */
export function pickSession(
  executions: readonly ExecutionView[],
  wanted: string | undefined,
  watched: string | null = null,
): Picked | null {
  for (const execution of executions) {
    const session = execution.sessions.find((one) => one.id === wanted)
    if (session) return { execution, session }
  }
  const begun = executions.find(({ sessions }) => sessions.length > 0)
  const agents = begun?.sessions.findLast(({ kind }) => kind === 'work')
  if (begun && agents && agents.id === watched) return { execution: begun, session: agents }
  for (const execution of executions) {
    const sessions = execution.sessions.filter((one) => one.kind !== 'save' && one.kind !== 'service')
    const live = sessions.findLast((one) => one.state !== 'ended')
    const failed =
      execution.state === 'COMPLETED' ? undefined : sessions.findLast((one) => cameTo(one, execution) !== 'success')
    const work = sessions.findLast((one) => one.kind === 'work')
    const session = live ?? failed ?? work ?? sessions.at(-1) ?? execution.sessions.at(-1)
    if (session) return { execution, session }
  }
  return null
}

/** The previous or next session over all executions of the bead, in the order in which they began; null at the ends. */
export function stepSession(executions: readonly ExecutionView[], from: Session, by: 1 | -1): Session | null {
  const all = executions.toReversed().flatMap(({ sessions }) => sessions)
  const at = all.findIndex(({ id }) => id === from.id)
  return at === -1 ? null : (all[at + by] ?? null)
}

/** Ids of all sessions of an execution in reading order: threads first, then the others. */
export function readingOrder(
  sessions: readonly Pick<Session, 'id'>[],
  threads: readonly { session: string | null }[] = [],
): string[] {
  return [...new Set([...threads.flatMap(({ session }) => session ?? []), ...sessions.map(({ id }) => id)])]
}
