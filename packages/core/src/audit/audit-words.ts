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
  // A name that already appears is not repeated.
  const fields = Object.values(on).includes(about) ? '' : about
  return [actionText(action), what && `on ${what}`, fields && `(${fields})`].filter(Boolean).join(' ')
}

/** The end of an action in words, from its entry and the entry of its end. */
export function auditEnd(
  { outcome, needs }: { outcome: AuditOutcome; needs: string | null },
  end: { outcome: AuditOutcome; code: string | null } | null,
): string {
  if (outcome === 'refused') return `refused: needs ${needs}`
  if (end === null) return 'allowed'
  return end.outcome === 'failed' ? `failed: ${end.code ?? 'unknown'}` : end.outcome
}
