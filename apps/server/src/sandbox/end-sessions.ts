import type { ExecutionId } from '@beadloom/core/records/ids.ts'
import type { PatientStore } from '../ports/store/patient.ts'

/** Ends the sessions of an execution that is over. */
export async function endSessions(
  store: Pick<PatientStore, 'sessions' | 'endSession'>,
  execution: ExecutionId,
  why: string,
): Promise<void> {
  for (const session of store.sessions(execution))
    if (session.state !== 'ended') await store.endSession(session.id, 'infra_error', null, why)
}
