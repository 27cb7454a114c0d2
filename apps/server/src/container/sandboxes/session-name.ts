import { createHash } from 'node:crypto'
import type { SessionId } from '@beadloom/core/records/ids.ts'

/** What a supervisor calls a session, and its folder: it takes letters, digits and hyphens. */
export const nameOfSession = (session: SessionId): string => session.replaceAll('.', '-')

/** By which a container and its servers know that they mean this link. No secret: whoever is in the container has it. */
export const magicOf = (container: string): string =>
  createHash('sha256').update(`beadloom link ${container}`).digest('hex').slice(0, 32)
