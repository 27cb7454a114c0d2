import { ArrowDown } from 'lucide-react'
import css from './log-pane.module.css'
import { counted } from '@beadloom/core/text/count-text.ts'

/** `unseen`: lines that came since the person stopped following; `errors` of them look like errors. */
type Props = { unseen: number; errors?: number; live: boolean; onFollow: () => void }

/** Goes to the end and follows it, unless nothing came and nothing will. */
export function FollowButton({ unseen, errors = 0, live, onFollow }: Props) {
  if (unseen === 0 && !live) return null
  return (
    <button type="button" className={css['pill']} onClick={onFollow}>
      <ArrowDown size={16} strokeWidth={1.5} aria-hidden />
      {newsText(unseen, errors)}
    </button>
  )
}

function newsText(unseen: number, errors: number): string {
  if (unseen === 0) return 'Follow'
  const lines = counted(unseen, 'new line')
  return errors === 0 ? lines : `${lines} · ${counted(errors, 'error')}`
}
