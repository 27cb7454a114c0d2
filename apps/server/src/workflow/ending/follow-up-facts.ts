import { fetchCommand, fetchRef } from '@beadloom/core/records/branch.ts'
import type { Bead } from '@beadloom/core/records/bead.ts'
import type { Execution } from '@beadloom/core/records/execution.ts'
import type { FollowUpFacts, MergeConflict } from '@beadloom/core/bead/follow-up.ts'
import type { SessionId } from '@beadloom/core/records/ids.ts'
import type { Session } from '@beadloom/core/records/session.ts'
import { leftWork } from '../../execution/left-work.ts'
import type { LogReader } from '../../ports/logs.ts'
import { failedSubtasks } from '../phases/failed-subtasks.ts'
import type { ExecutionDeps } from '../../execution/deps.ts'

export type FactDeps = Pick<ExecutionDeps, 'store' | 'hub' | 'logs' | 'log'>

/** Enough for 20 lines of usual length; a log may hold lines of a megabyte. */
const TAIL_BYTES = 16_384
const TAIL_LINES = 20

/**
 * The known facts about an ended execution. An unreadable log or repository leaves its part out: a follow-up that knows
 * less is better than none.
 */
export async function followUpFacts(deps: FactDeps, execution: Execution, bead: Bead): Promise<FollowUpFacts> {
  const { store, hub, log } = deps
  const { id, project, branch } = execution
  const orElse = async <T>(fallback: T, ask: () => Promise<T>): Promise<T> => {
    try {
      return await ask()
    } catch (error) {
      log.warn({ error, execution: id }, 'a follow-up bead goes without a part of its facts')
      return fallback
    }
  }
  const isThere = (ref: string) => orElse(false, async () => (await hub.tip(project, ref)) !== null)
  const lastSession = lastThatPrinted(store.sessions(id))
  const shown = execution.state === 'TIMEOUT' ? lastSession : null
  return {
    execution,
    bead,
    verifications: store.verifications(id),
    lastSession,
    tail: shown === null ? [] : await orElse([], () => tailOf(deps.logs, shown)),
    branchThere: await isThere(`refs/heads/${branch}`),
    fetch: fetchCommand(hub.path(project), branch),
    ...(await orElse(nothingLeft, () => leftOf(deps, execution))),
    failedSubtasks: failedSubtasks(store, id),
    conflict: conflictOf(store.lastEvent(id, 'push_conflict')?.data),
  }
}

const nothingLeft: Pick<FollowUpFacts, 'savedRef' | 'fetchSaved' | 'otherRefs' | 'kept'> = {
  savedRef: null,
  fetchSaved: '',
  kept: [],
}

async function leftOf(deps: FactDeps, execution: Execution): Promise<typeof nothingLeft> {
  const { refs, containers } = await leftWork(deps, execution)
  const savedRef = refs.at(-1) ?? null
  const fetchSaved = savedRef === null ? '' : fetchRef(deps.hub.path(execution.project), savedRef)
  return { savedRef, fetchSaved, otherRefs: refs.slice(0, -1), kept: containers.map(({ name }) => name) }
}

/** Such a session tells nothing about the work. */
const isBeside = (kind: Session['kind']): boolean => kind === 'save' || kind === 'service'

const lastThatPrinted = (sessions: Session[]): SessionId | null =>
  (
    sessions.findLast(({ kind, logLines }) => !isBeside(kind) && logLines > 0) ??
    sessions.findLast(({ kind }) => !isBeside(kind))
  )?.id ?? null

async function tailOf(logs: LogReader, session: SessionId): Promise<string[]> {
  const state = logs.state(session)
  if (!state) return []
  const from = Math.max(0, state.bytes - TAIL_BYTES)
  const text = (await logs.bytes(session, from, state.bytes - from)).toString('utf8')
  const whole = from === 0 ? text : text.slice(text.indexOf('\n') + 1)
  const lines = `${whole}${state.partial.slice(-TAIL_BYTES)}`.split('\n')
  return lines.filter((line, at) => line !== '' || at < lines.length - 1).slice(-TAIL_LINES)
}

function conflictOf(data: unknown): MergeConflict | null {
  const { files, ours, theirs } = fieldsOf(data)
  if (!Array.isArray(files) || typeof ours !== 'string' || typeof theirs !== 'string') return null
  return { files: files.map(String), ours, theirs }
}

const fieldsOf = (data: unknown): Record<string, unknown> =>
  typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : {}
