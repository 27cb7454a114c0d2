import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import css from './activity-list.module.css'
import { useKnownExecutions } from '../../components/bead/known-executions.ts'
import { stateLine } from '../../components/bead/state-line.ts'
import { StateMark } from '../../components/bead/state-mark.tsx'
import { marks } from '../../components/bead/states.ts'
import type { Lane } from '@beadloom/core/board/board-card.ts'
import { useBoard, useServerNow } from '../../feed/feed-context.tsx'
import { nestFollowUps } from '@beadloom/core/board/follow-up-nest.ts'
import { boardLanes } from '../../feed/lanes.ts'
import { shown } from '../../ui/text/hostile-text.ts'

/** States that no agent leaves by itself. */
const waiting: readonly Lane[] = ['blocked', 'failed', 'timeout']
/** The board has the others. */
const MOST = 8

/** Beads that wait for a person now, since whenever. */
export function NeedsYou({ project }: { project: string }) {
  const { view } = useBoard(project)
  const known = useKnownExecutions(project)
  const now = useServerNow()
  const rows = useMemo(() => {
    if (view === null) return []
    const all = nestFollowUps(boardLanes(view, []))
    return waiting.flatMap((lane) => all[lane].toSorted((a, b) => b.card.updatedAt - a.card.updatedAt))
  }, [view])
  if (rows.length === 0) return null
  return (
    <section aria-label="Needs you" className={css['section']}>
      <h2>
        Needs you <span className={css['muted']}>{rows.length}</span>
      </h2>
      <ul className={css['rows']}>
        {rows.slice(0, MOST).map((item) => {
          const { card, lane } = item
          const execution = item.execution ?? known.get(card.execution ?? '') ?? null
          const { text } = stateLine({ ...item, execution }, now)
          return (
            <li key={card.id} className={css['asks']}>
              <StateMark mark={marks[lane]} bare />
              <Link to="/p/$project/b/$bead" params={{ project, bead: card.id }} className={css['what']}>
                <span className={css['id']}>{card.id}</span> {shown(card.title)}
              </Link>
              <span className={css['why']} title={text}>
                {shown(text)}
              </span>
            </li>
          )
        })}
      </ul>
      {rows.length > MOST && (
        <Link to="/p/$project" params={{ project }} className={css['muted']}>
          {rows.length - MOST} more on the board
        </Link>
      )}
    </section>
  )
}
