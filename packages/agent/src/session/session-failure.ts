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

export const DISK_FULL = 'the disk of the container is full, or it may not write more'

/** The system's own words for it, as the failure that it is; anything else as it was. */
export const orDiskFull = (error: unknown): unknown =>
  isSystemError(error) && ['ENOSPC', 'EDQUOT'].includes(error.code ?? '')
    ? new SessionFailure(`${DISK_FULL}: ${error.message}`, 'disk_full')
    : error

/** What the system says (no space, no permission, a name that is too long) is a sentence for people and no bug of ours. */
export const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && /^E[A-Z0-9]+$/.test(String((error as NodeJS.ErrnoException).code))
