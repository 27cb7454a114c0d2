import type { Severity } from '@beadloom/core/review/severity.ts'
import { Circle, CircleX, MessageSquareWarning, OctagonX } from 'lucide-react'
import type { LucideIcon } from 'lucide-react'
import css from './severity.module.css'

export const severityWords: Record<Severity, { word: string; icon: LucideIcon }> = {
  critical: { word: 'Critical', icon: OctagonX },
  high: { word: 'High', icon: CircleX },
  medium: { word: 'Medium', icon: MessageSquareWarning },
  low: { word: 'Low', icon: Circle },
}

/** Glyph and word; a critical one is filled, to be noticed first. */
export function SeverityMark({ severity, count }: { severity: Severity; count?: number }) {
  const { word, icon: Icon } = severityWords[severity]
  return (
    <span className={`${css['mark']} ${css[severity]}`}>
      <Icon size={14} strokeWidth={2} aria-hidden />
      {count !== undefined && <span>{count}</span>}
      <span>{count === undefined ? word : word.toLowerCase()}</span>
    </span>
  )
}
