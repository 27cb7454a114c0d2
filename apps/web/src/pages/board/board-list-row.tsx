import { Link } from '@tanstack/react-router'
import { CircleStop, Play, X } from 'lucide-react'
import { memo } from 'react'
import css from './board-list.module.css'
import type { ShownCard } from './held-lanes.ts'
import { runAt, tokensOf, tookMs } from './list-sort.ts'
import type { CardActs } from './use-board-grid.tsx'
import { cancelRefusal } from '../../components/bead/bead-actions.ts'
import { stateLine } from '../../components/bead/state-line.ts'
import { StateMark } from '../../components/bead/state-mark.tsx'
import { marks } from '../../components/bead/states.ts'
import { useServerNow } from '../../feed/feed-context.tsx'
import { IconButton } from '../../ui/button.tsx'
import { shown } from '../../ui/hostile-text.ts'
import { agoText, clockText, exactText, shortCount } from '../../ui/time-text.ts'

type Props = {
  card: ShownCard
  project: string
  refusal: string | null
  busy: boolean
  isStop: boolean
  chosen: boolean
  acts: CardActs
}

/** What is in a row of the list. */
export const ListRow = memo(function ListRow({ card: item, project, refusal, busy, isStop, chosen, acts }: Props) {
  const { card, execution, lane } = item
  const now = useServerNow()
  const { text, figures } = stateLine(item, now)
  const tabIndex = isStop ? 0 : -1
  const run = runAt(item)
  const since = lane === 'running' ? (execution?.startedAt ?? null) : null
  const took = since === null ? tookMs(item) : now - since
  const tokens = tokensOf(item)
  const labels = card.labels.join(', ')
  return (
    <>
      <span role="cell" className={css['cell']}>
        <input
          type="checkbox"
          className={css['choose']}
          checked={chosen}
          aria-label={`Select ${card.id}`}
          tabIndex={tabIndex}
          onChange={() => acts.choose(card.id, 'toggle')}
        />
      </span>
      <span role="cell" className={css['cell']} title={`${text} ${figures}`.trim()}>
        <StateMark mark={marks[lane]} />
      </span>
      <span role="cell" className={`${css['cell']} ${css['id']}`} title={card.id}>
        {shown(card.id)}
      </span>
      <span role="cell" className={`${css['cell']} ${css['title']}`}>
        <Link
          to="/p/$project/b/$bead"
          params={{ project, bead: card.id }}
          title={card.title}
          tabIndex={tabIndex}
          onClick={(event) => {
            if (!event.shiftKey) return
            event.preventDefault()
            acts.choose(card.id, 'extend')
          }}
        >
          {shown(card.title)}
        </Link>
      </span>
      <span role="cell" className={card.priority <= 1 ? `${css['cell']} ${css['urgent']}` : css['cell']}>
        P{card.priority}
      </span>
      <span role="cell" className={css['cell']}>
        {shown(card.type)}
      </span>
      <span role="cell" className={css['cell']} title={shown(labels)}>
        {shown(labels)}
      </span>
      <span role="cell" className={`${css['cell']} ${css['number']}`} title={exactText(card.createdAt)}>
        {agoText(now - card.createdAt)}
      </span>
      <span
        role="cell"
        className={`${css['cell']} ${css['number']} live-number`}
        title={run === null ? undefined : exactText(run)}
      >
        {run === null ? '–' : agoText(now - run)}
      </span>
      <span role="cell" className={`${css['cell']} ${css['number']} live-number`}>
        {took === null ? '–' : clockText(took)}
      </span>
      <span role="cell" className={`${css['cell']} ${css['number']} live-number`}>
        {tokens === null || tokens === 0 ? '–' : shortCount(tokens)}
      </span>
      <span role="cell" className={css['cell']}>
        {lane === 'queued' || lane === 'running' ? (
          <IconButton
            label={`Cancel ${card.id}`}
            keys="c"
            blockedBy={cancelRefusal(execution)}
            tabIndex={tabIndex}
            onClick={() => acts.cancel(item)}
          >
            {lane === 'running' ? (
              <CircleStop size={16} strokeWidth={1.5} aria-hidden />
            ) : (
              <X size={16} strokeWidth={1.5} aria-hidden />
            )}
          </IconButton>
        ) : (
          lane !== 'completed' && (
            <IconButton
              label={`Run ${card.id}`}
              keys="r"
              blockedBy={refusal}
              busy={busy}
              tabIndex={tabIndex}
              onClick={() => acts.run(item)}
            >
              <Play size={15} strokeWidth={1.5} aria-hidden />
            </IconButton>
          )
        )}
      </span>
    </>
  )
})
