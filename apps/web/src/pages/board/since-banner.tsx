import { Link } from '@tanstack/react-router'
import { Sunrise, X } from 'lucide-react'
import { useStore } from 'zustand'
import css from './banner.module.css'
import type { BoardCard, Lane } from '@beadloom/core/board/board-card.ts'
import { IconButton } from '../../ui/button.tsx'
import { lookStore, noteTold } from '../../ui/last-look.ts'
import { dayText, shortClockText } from '../../ui/text/time-text.ts'

type Props = { project: string; lanes: Record<Lane, BoardCard[]> }

/** Ends during the person's absence, with a link to all of them; once per visit. */
export function SinceBanner({ project, lanes }: Props) {
  const looks = useStore(lookStore, (all) => all[project])
  if (looks === undefined || looks.before === null || looks.told) return null
  const since = looks.before
  const ended = (lane: Lane) => lanes[lane].filter(({ execution }) => (execution?.endedAt ?? 0) >= since).length
  const [done, stuck] = [ended('completed'), ended('failed') + ended('blocked') + ended('timeout')]
  if (done + stuck === 0) return null
  return (
    <div className={`${css['banner']} ${css['quiet']}`} role="note">
      <Sunrise size={16} strokeWidth={1.75} aria-hidden />
      <div className={css['text']}>
        Since your last visit ({dayText(since)}, {shortClockText(since)}): {done} completed
        {stuck > 0 && `, ${stuck} need${stuck === 1 ? 's' : ''} you`}.{' '}
        <Link to="/p/$project/activity" params={{ project }}>
          What happened
        </Link>
      </div>
      <IconButton label="Dismiss" onClick={() => noteTold(project)}>
        <X size={16} strokeWidth={1.5} aria-hidden />
      </IconButton>
    </div>
  )
}
