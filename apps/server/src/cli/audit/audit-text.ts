import { auditEnd, auditText } from '@beadloom/core/audit/audit-words.ts'
import type { AuditView } from '@beadloom/core/api/people/audit-api.ts'
import { table, type Cell } from '../terminal/output.ts'
import type { Paint } from '../terminal/paint.ts'

export function auditList(items: readonly AuditView[], columns: number, paint: Paint): string {
  if (items.length === 0) return 'The audit log has no such entry.'
  const head: Cell[] = ['NUMBER', 'TIME', 'WHO', 'FROM', 'OUTCOME', 'ACTION'].map((text) => ({
    text,
    paint: paint.dim,
  }))
  const rows = items.map((entry): Cell[] => [
    String(entry.number),
    `${new Date(entry.at).toISOString().slice(0, 19).replace('T', ' ')} UTC`,
    entry.by === 'token' ? 'access token' : entry.by,
    fromText(entry),
    auditEnd(entry, entry.end),
    auditText({ ...entry, on: entry.end?.on ?? entry.on }),
  ])
  return table([head, ...rows], columns)
}

const fromText = ({ address, signIn }: AuditView): string =>
  [address, signIn === null ? '' : `browser ${signIn}`].filter(Boolean).join(', ') || 'unknown'
