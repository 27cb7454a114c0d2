import { actionText } from '../access/action-words.ts'
import type { AuditOutcome } from './entry.ts'

/** "queued it on acme bl-1", "changed the settings of the project (checks, setup)". */
export function auditText({
  action,
  on,
  about,
}: {
  action: string
  on: Readonly<Record<string, string>>
  about: string
}) {
  const what = Object.values(on).join(' ')
  // A thing that is named by its own name is told once.
  const fields = Object.values(on).includes(about) ? '' : about
  return [actionText(action), what && `on ${what}`, fields && `(${fields})`].filter(Boolean).join(' ')
}

/** How it ended, of an entry and what was written of its end. */
export function auditEnd(
  { outcome, needs }: { outcome: AuditOutcome; needs: string | null },
  end: { outcome: AuditOutcome; code: string | null } | null,
): string {
  if (outcome === 'refused') return `refused: needs ${needs}`
  if (end === null) return 'allowed'
  return end.outcome === 'failed' ? `failed: ${end.code ?? 'unknown'}` : end.outcome
}
