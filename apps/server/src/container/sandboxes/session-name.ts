import { createHash } from 'node:crypto'
import type { SessionId } from '@beadloom/core/records/ids.ts'

/** The supervisor's name for a session and its folder: it takes letters, digits and hyphens. */
export const nameOfSession = (session: SessionId): string => session.replaceAll('.', '-')

/** Identifies the link for a container and its servers. No secret: everybody in the container has it. */
export const magicOf = (container: string): string =>
  createHash('sha256').update(`beadloom link ${container}`).digest('hex').slice(0, 32)
