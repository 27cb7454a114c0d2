import { z } from 'zod/mini'
import type { AuditEntry } from '../audit/entry.ts'

/**
 * An entry of the audit log, with what was written of its end; null: it has none, as a sign-in, what was refused, and
 * what a server was stopped in.
 */
export type AuditView = AuditEntry & {
  hash: string
  end: Pick<AuditEntry, 'number' | 'at' | 'outcome' | 'code' | 'on'> | null
}

/** The newest entry: what an export has to end with. `number` 0: there is none yet. */
export type AuditHead = { number: number; hash: string }

/** `begins`: the entry that the oldest one continues, of which an archive has the rest; `number` 0: nothing was removed. */
export type AuditEnds = AuditHead & { begins: AuditHead }

/** The answer of `POST /api/audit/cut`: how many entries went, and the head, which has stayed. */
export type AuditCut = { removed: number; head: AuditHead }

/** Removes what was exported, up to this entry, of which the hash shows that it is the one. */
export const CutAudit = z.strictObject({
  number: z.int().check(z.minimum(1)),
  hash: z.string().check(z.regex(/^[0-9a-f]{64}$/, 'is not the hash of an entry')),
})
export type CutAudit = z.infer<typeof CutAudit>
