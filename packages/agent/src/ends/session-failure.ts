import type { ResultReason } from '@beadloom/core/log/event-line.ts'

/**
 * The session cannot continue, and not because of a bug of ours: the sentence says what happened and what to do.
 * `reason` is for code that decides by it; most have none.
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
export const SERVER_DISK_FULL = 'the disk of the server is full, or it may not write more'

/** Turns a full disk into a failure that says so; returns any other error unchanged. */
export const orDiskFull = (error: unknown): unknown =>
  isSystemError(error) && ['ENOSPC', 'EDQUOT'].includes(error.code ?? '')
    ? new SessionFailure(`${DISK_FULL}: ${error.message}`, 'disk_full')
    : error

/**
 * Whether it is an error of the system (no space, no permission, a name that is too long): a sentence for people, not a
 * bug of ours.
 */
export const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && /^E[A-Z0-9]+$/.test(String((error as NodeJS.ErrnoException).code))
