import { setImmediate } from 'node:timers/promises'
import type { Page } from '@beadloom/core/api/api.ts'
import type { AuditCut, AuditHead, AuditView } from '@beadloom/core/api/people/audit-api.ts'
import type { ProjectId } from '@beadloom/core/records/ids.ts'
import { badCursor } from '../../app/stored/refusals.ts'
import { Problem } from '../../ports/problem.ts'
import type { AuditStore } from '../../ports/store/people/audit.ts'

export type AuditReads = Pick<AuditStore, 'audit' | 'auditHead' | 'auditBegins' | 'auditLines' | 'cutAudit'>

type Filter = {
  by?: string | undefined
  project?: ProjectId | undefined
  action?: string | undefined
  limit: number
  cursor?: string | undefined
}

/** About half a megabyte of lines, and a few milliseconds. */
const LINES_AT_ONCE = 500

/** Newest first. */
export function listAudit(store: AuditReads, { cursor, ...filter }: Filter): Page<AuditView> | Problem {
  const before = cursor === undefined ? undefined : Number(cursor)
  if (before !== undefined && !Number.isSafeInteger(before)) return badCursor()
  const items = store.audit({ ...filter, before })
  const last = items.at(-1)
  return last && items.length === filter.limit ? { items, next: String(last.number) } : { items }
}

/** Lines after this entry, up to the newest one at the time of the call, oldest first. */
export async function* auditLines(store: AuditReads, after: number): AsyncGenerator<string> {
  const until = store.auditHead().number
  for (;;) {
    const rows = store.auditLines(after, LINES_AT_ONCE).filter(({ number }) => number <= until)
    const last = rows.at(-1)
    if (last === undefined) return
    yield rows.map(({ line }) => `${line}\n`).join('')
    after = last.number
    await setImmediate() // so that a long log delays no other request
  }
}

export function cutAudit(store: AuditReads, through: AuditHead): AuditCut | Problem {
  const removed = store.cutAudit(through)
  if (removed === null)
    return new Problem(
      409,
      'other_chain',
      `The audit log has no entry ${through.number} with this hash. Export it again, and remove the entries of that export.`,
    )
  return { removed, head: store.auditHead() }
}
