import type { AuditHead, AuditView } from '@beadloom/core/api/people/audit-api.ts'
import type { NewAuditEntry } from '@beadloom/core/audit/entry.ts'

export type AuditFilter = {
  by?: string | undefined
  project?: string | undefined
  action?: string | undefined
  /** Only entries with a lower number. */
  before?: number | undefined
  limit: number
}

/** The audit log: a chain that only grows. Only `cutAudit` removes rows. */
export interface AuditStore {
  /** Returns its number. */
  addAudit(entry: NewAuditEntry): number
  /** Newest first, each with its end; an end is no item of its own. */
  audit(filter: AuditFilter): AuditView[]
  /** Lines of an export after this number, oldest first. */
  auditLines(after: number, limit: number): { number: number; line: string }[]
  auditHead(): AuditHead
  /** The last entry that was removed; `number` is 0 if none was. */
  auditBegins(): AuditHead
  /** Removes exported entries, up to this one; null: none has this number and hash. Returns how many rows went. */
  cutAudit(through: AuditHead): number | null
}
