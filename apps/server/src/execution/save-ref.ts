import { executionOf, type SessionId } from '@beadloom/core/records/ids.ts'

/** The ref to which a session saves its uncommitted work. Each session has its own, so no earlier save is overwritten. */
export const saveRefOf = (session: SessionId): string =>
  `refs/beadloom/${executionOf(session)}/session-${session.slice(session.lastIndexOf('.') + 1)}`

/** The refs on which the server saves the work left in a stopped sandbox, from 1; an existing one is never moved. */
export const leftRefOf = (id: string, number: number): string =>
  `refs/beadloom/${id}/left${number === 1 ? '' : `-${number}`}`
