import type { ExecutionId, SessionId } from '@beadloom/core/records/ids.ts'
import { executionOf } from '@beadloom/core/records/ids.ts'
import type { RecorderStore } from './create-recorder.ts'
import type { Checkpoint } from '../ports/store/sessions.ts'

/** Checkpoints of sessions that no table has: both end with their server. */
export class UnstoredRecords implements RecorderStore {
  readonly #checkpoints = new Map<SessionId, Checkpoint>()

  commitRecord(session: SessionId, checkpoint: Checkpoint): void {
    this.#checkpoints.set(session, checkpoint)
  }

  checkpoint(session: SessionId): Checkpoint | null {
    return this.#checkpoints.get(session) ?? null
  }

  session(): null {
    return null
  }

  /** Forgets an execution whose logs are gone. */
  forget(execution: ExecutionId): void {
    for (const id of this.#checkpoints.keys()) if (executionOf(id) === execution) this.#checkpoints.delete(id)
  }
}
