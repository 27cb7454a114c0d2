import type { ProjectView } from '@beadloom/core/api.ts'
import { Link } from '@tanstack/react-router'
import { CircleStop, Play, X } from 'lucide-react'
import { memo } from 'react'
import css from './board-card.module.css'
import { cancelRefusal, runRefusal } from '../../components/bead/bead-actions.ts'
import type { BeadCommands } from '../../components/bead/bead-commands.tsx'
import { BeadMentions } from '../../components/bead/bead-mentions.tsx'
import { shortMarks } from '../../components/bead/end-words.ts'
import { stateLine } from '../../components/bead/state-line.ts'
import { useServerNow } from '../../feed/feed-context.tsx'
import type { BoardCard } from '../../feed/lanes.ts'
import { IconButton } from '../../ui/button.tsx'
import { shown } from '../../ui/hostile-text.ts'

export const CARD_HEIGHT = 84
export const CARD_GAP = 6

type Props = {
  card: BoardCard
  index: number
  count: number
  top: number
  project: string
  view: ProjectView | undefined
  commands: BeadCommands
  tabStop: string | null
  onActive: (id: string) => void
}

export const BoardCardView = memo(function BoardCardView(props: Props) {
  const { card: item, index, count, top, project, view, commands, tabStop, onActive } = props
  const { card, execution, lane } = item
  const isStop = tabStop === card.id
  const live = lane === 'queued' || lane === 'running'
  return (
    <div
      role="listitem"
      aria-posinset={index + 1}
      aria-setsize={count}
      data-bead={card.id}
      data-lane={lane}
      className={`${css['card']} ${lane === 'open' && !card.ready ? css['waiting'] : ''}`}
      style={{ transform: `translateY(${top}px)`, height: CARD_HEIGHT }}
      onFocus={() => onActive(card.id)}
    >
      <div className={css['top']}>
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
        tabIndex={isStop ? 0 : -1}
      >
        <span>{shown(card.title)}</span>
      </Link>
      <Line item={item} project={project} tabIndex={isStop ? 0 : -1} />
      {lane !== 'completed' && (
        <div className={css['action']}>
          {live ? (
            <IconButton
              label={`Cancel ${card.id}`}
              keys="c"
              blockedBy={cancelRefusal(execution)}
              tabIndex={isStop ? 0 : -1}
              onClick={() => commands.cancel(card, execution)}
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
              blockedBy={runRefusal(card, execution, view)}
              busy={commands.busy(card.id)}
              tabIndex={isStop ? 0 : -1}
              onClick={() => commands.run(card, execution)}
            >
              <Play size={15} strokeWidth={1.5} aria-hidden />
            </IconButton>
          )}
        </div>
      )}
    </div>
  )
})

/** Flags, follow-ups, and whose work it continues; cut where the card is narrow, whole on hover. */
function Marks({ item: { card, execution } }: { item: BoardCard }) {
  const continues = card.baseBranch === undefined ? [] : [`continues ${card.baseBranch}`]
  const text = [...(execution ? shortMarks(execution) : []), ...continues].join(' · ')
  return text === '' ? null : (
    <span className={css['marks']} title={shown(text)}>
      {shown(text)}
    </span>
  )
}

function Line({ item, project, tabIndex }: { item: BoardCard; project: string; tabIndex: number }) {
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
