/** A refusal that a person can act on: `message` says what is wrong and what to do, and shows nothing of the host. */
export class Problem {
  readonly status: ProblemStatus
  /** A stable word for programs: `not_found`, `already_running`, … */
  readonly code: string
  readonly message: string
  readonly details: unknown

  constructor(status: ProblemStatus, code: string, message: string, details?: unknown) {
    this.status = status
    this.code = code
    this.message = message
    this.details = details
  }
}

type ProblemStatus = 400 | 401 | 403 | 404 | 405 | 409 | 413 | 415 | 416 | 421 | 422 | 429 | 500 | 502 | 503 | 507

/** Everything else that is thrown is a bug (500), except `InvalidInput` (400). */
export type Answer<T> = T | Problem | Promise<T | Problem>
