import { executionOf, type SessionId } from '@beadloom/core/ids.ts'

/** Where a session saves what it leaves uncommitted. Each has its own: what was saved before it is never overwritten. */
export const saveRefOf = (session: SessionId): string =>
  `refs/beadloom/${executionOf(session)}/session-${session.slice(session.lastIndexOf('.') + 1)}`
