import { executionOf, type SessionId } from '@beadloom/core/ids.ts'

/** The ref to which a session saves its uncommitted work. Each session has its own, so no earlier save is overwritten. */
export const saveRefOf = (session: SessionId): string =>
  `refs/beadloom/${executionOf(session)}/session-${session.slice(session.lastIndexOf('.') + 1)}`
