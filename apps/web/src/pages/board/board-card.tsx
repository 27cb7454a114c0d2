import { Link } from '@tanstack/react-router'
import { CircleStop, Play, X } from 'lucide-react'
import { memo } from 'react'
import css from './board-card.module.css'
import type { ShownCard } from './held-lanes.ts'
import type { CardActs } from './use-board-grid.tsx'
import { cancelRefusal } from '../../components/bead/bead-actions.ts'
import { BeadMentions } from '../../components/bead/bead-mentions.tsx'
import { shortMarks } from '../../components/bead/end-words.ts'
import { stateLine } from '../../components/bead/state-line.ts'
import { StateMark } from '../../components/bead/state-mark.tsx'
import { marks } from '../../components/bead/states.ts'
import { useServerNow } from '../../feed/feed-context.tsx'
import type { Lane } from '../../feed/lanes.ts'
import { IconButton } from '../../ui/button.tsx'
import { shown } from '../../ui/hostile-text.ts'

export const CARD_HEIGHT = 84
export const CARD_GAP = 6

type Props = {
  card: ShownCard
  project: string
  /** Why it cannot be run now. */
  refusal: string | null
  busy: boolean
  isStop: boolean
  chosen: boolean
  /** Something is selected, so every card shows whether it is. */
  choosing: boolean
  acts: CardActs
}

/** What is on a card. Drawn again only when something of it has changed; where it stands is its column's matter. */
export const BoardCardView = memo(function BoardCardView(props: Props) {
  const { card: item, project, refusal, busy, isStop, chosen, choosing, acts } = props
  const { card, execution, lane, movedTo } = item
  const live = lane === 'queued' || lane === 'running'
  const tabIndex = isStop ? 0 : -1
  return (
    <>
      <div className={css['top']}>
        {choosing && (
          <input
            type="checkbox"
            className={css['choose']}
            checked={chosen}
            aria-label={`Select ${card.id}`}
            tabIndex={tabIndex}
            onChange={() => acts.choose(card.id, 'toggle')}
          />
        )}
        <span className={css['id']}>{card.id}</span>
        <span className={card.priority <= 1 ? css['urgent'] : css['priority']}>P{card.priority}</span>
        {card.type !== 'task' && <span className={css['type']}>{card.type}</span>}
        <Marks item={item} />
      </div>
      <Link
        to="/p/$project/b/$bead"
        params={{ project, bead: card.id }}
        className={css['title']}
        title={card.title}
        tabIndex={tabIndex}
        onClick={(event) => {
          if (!event.shiftKey) return
          event.preventDefault()
          acts.choose(card.id, 'extend')
        }}
      >
        <span>{shown(card.title)}</span>
      </Link>
      {movedTo === undefined ? <Line item={item} project={project} tabIndex={tabIndex} /> : <Moved to={movedTo} />}
      {lane !== 'completed' && movedTo === undefined && (
        <div className={css['action']}>
          {live ? (
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
          )}
        </div>
      )}
    </>
  )
})

/** Flags, follow-ups, and whose work it continues; cut where the card is narrow, whole on hover. */
function Marks({ item: { card, execution } }: { item: ShownCard }) {
  const continues = card.baseBranch === undefined ? [] : [`continues ${card.baseBranch}`]
  const text = [...(execution ? shortMarks(execution) : []), ...continues].join(' · ')
  return text === '' ? null : (
    <span className={css['marks']} title={shown(text)}>
      {shown(text)}
    </span>
  )
}

/** It belongs elsewhere by now, and goes there as soon as nobody is at it. */
const Moved = ({ to }: { to: Lane }) => (
  <p className={css['line']}>
    <span className={css['moved']}>
      moved to <StateMark mark={marks[to]} />
    </span>
  </p>
)

function Line({ item, project, tabIndex }: { item: ShownCard; project: string; tabIndex: number }) {
  const { text, figures, extra } = stateLine(item, useServerNow())
  const { reason } = item.card
  return (
    <p className={`${css['line']} ${css[item.lane]}`} title={text}>
      <span className={css['what']}>
        {reason?.beads && text === reason.text ? (
          <BeadMentions reason={reason} project={project} tabIndex={tabIndex} />
        ) : (
          shown(text)
        )}
      </span>
      {extra !== undefined && <span className={`${css['figures']} ${css['extra']} live-number`}>{extra}</span>}
      {figures !== '' && <span className={`${css['figures']} live-number`}>{figures}</span>}
    </p>
  )
}
