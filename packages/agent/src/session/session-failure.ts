import type { ResultReason } from '@beadloom/core/log/event-line.ts'

/**
 * The session cannot continue, and that is no bug of ours: the sentence says what happened and what to do. `reason` is
 * for those who decide something by it; most have none.
 */
export class SessionFailure extends Error {
  override name = 'SessionFailure'
  readonly reason: ResultReason | undefined

  constructor(message: string, reason?: ResultReason) {
    super(message)
    this.reason = reason
  }
}
