import type { SessionOutcome } from '@beadloom/core/records/session.ts'
import { sessionIdOf, type ExecutionId, type SessionId } from '@beadloom/core/records/ids.ts'
import type { ExecutionDeps } from '../../execution/deps.ts'
import type { LiveExecution } from '../../execution/live-execution.ts'
import { beginSession } from '../begin-session.ts'

/** `recorder`: one without rows, if services have none. */
export type ServiceDeps = Pick<ExecutionDeps, 'engine' | 'store' | 'recorder' | 'clock' | 'log'>

/** The sessions that record the output of services. */
export interface ServiceRecords {
  begin(service: string): Promise<SessionId>
  running(session: SessionId, container: string): Promise<void>
  end(session: SessionId, outcome: SessionOutcome, exitCode: number | null, detail: string): Promise<void>
}

/** For an execution: sessions of their own. */
export const recordsOf = (live: LiveExecution, attempt: number): ServiceRecords => {
  const { store } = live.deps
  return {
    begin: (service) => beginSession(live, 'service', attempt, undefined, service),
    running: async (session, container) => void (await store.sessionRunning(session, container)),
    end: async (session, outcome, exitCode, detail) => {
      await store.endSession(session, outcome, exitCode, detail)
    },
  }
}

/** Outside of executions: only files, numbered from there. */
export function recordsApart(id: ExecutionId, from: number): ServiceRecords {
  let number = from
  return { begin: async () => sessionIdOf(id, number++), running: async () => {}, end: async () => {} }
}
