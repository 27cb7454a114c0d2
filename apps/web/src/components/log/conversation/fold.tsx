import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import css from './conversation.module.css'

type Props = {
  open: boolean
  /** Null if there is nothing inside. */
  onFlip: (() => void) | null
  tone: 'quiet' | 'failed' | 'running'
  glyph: ReactNode
  head: ReactNode
  end: string
  children: ReactNode
}

/** One line about what happened, with details inside. */
export function Fold({ open, onFlip, tone, glyph, head, end, children }: Props) {
  const line = (
    <>
      <span className={css['glyph']}>{glyph}</span>
      <span className={css['head']}>{head}</span>
      <span className={css['size']}>{end}</span>
      <ChevronRight
        className={`${css['chevron']} ${onFlip ? '' : css['none']}`}
        size={14}
        strokeWidth={1.5}
        aria-hidden
      />
    </>
  )
  return (
    <div className={`${css['fold']} ${css[tone]}`} data-open={open || undefined}>
      {onFlip ? (
        <button type="button" className={css['line']} aria-expanded={open} onClick={onFlip}>
          {line}
        </button>
      ) : (
        <div className={css['line']}>{line}</div>
      )}
      {open && <div className={css['inside']}>{children}</div>}
    </div>
  )
}
