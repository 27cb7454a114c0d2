import { ChevronRight } from 'lucide-react'
import css from './thread-head.module.css'
import { StateMark } from '../../bead/state-mark.tsx'
import type { Mark } from '../../bead/states.ts'
import { counted } from '@beadloom/core/text/count-text.ts'
import { shown } from '../../../ui/text/hostile-text.ts'

/** A phase, a subtask or a session in an execution's conversation. `session` null: it only has others below it. */
export type ThreadHead = {
  key: string
  level: 0 | 1 | 2
  session: string | null
  title: string
  mark: Mark
  live: boolean
  /** Its duration, or other facts: "3 min 4 s". */
  end: string
  /** Number of matches in it; absent or 0: none, or there is no search. */
  matches?: number
}

type Props = { head: ThreadHead; open: boolean; onOpen: (session: string) => void }

/** One line of the conversation's order; a head with a log opens it in place. */
export function ThreadHeadRow({ head: { level, session, title, mark, live, end, matches = 0 }, open, onOpen }: Props) {
  const line = (
    <>
      <StateMark mark={mark} bare live={live} />
      <span className={css['title']}>{shown(title)}</span>
      {matches > 0 && <span className={css['matches']}>{counted(matches, 'match', 'matches')}</span>}
      <span className={`${css['end']} live-number`}>{end}</span>
    </>
  )
  const look = `${css['head']} ${css[`level-${level}`]}`
  if (session === null)
    return (
      <div className={look} role="heading" aria-level={level + 2}>
        {line}
      </div>
    )
  return (
    <button
      type="button"
      className={`${look} ${css['opens']}`}
      aria-expanded={open}
      onClick={() => !open && onOpen(session)}
    >
      {line}
      <ChevronRight className={css['chevron']} size={14} strokeWidth={1.5} aria-hidden />
    </button>
  )
}
