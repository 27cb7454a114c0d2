import { z } from 'zod/mini'
import type { AuditEntry } from '../../audit/entry.ts'

/**
 * An entry of the audit log with its end; null: it has none: a sign-in, a refusal, or an action that a stop of the
 * server interrupted.
 */
export type AuditView = AuditEntry & {
  hash: string
  end: Pick<AuditEntry, 'number' | 'at' | 'outcome' | 'code' | 'on'> | null
}

/** The newest entry, with which an export has to end. `number` 0: there is none yet. */
export type AuditHead = { number: number; hash: string }

/** `begins`: the last archived entry, which the oldest one here continues; `number` 0: nothing was removed. */
export type AuditEnds = AuditHead & { begins: AuditHead }

/** The answer of `POST /api/audit/cut`: the number of removed entries, and the head, which has stayed. */
export type AuditCut = { removed: number; head: AuditHead }

/** Removes the exported entries up to this one; its hash proves that it is the right one. */
export const CutAudit = z.strictObject({
  number: z.int().check(z.minimum(1)),
  hash: z.string().check(z.regex(/^[0-9a-f]{64}$/, 'is not the hash of an entry')),
})
export type CutAudit = z.infer<typeof CutAudit>
