import { memo } from 'react'
import css from './board-card.module.css'
import { CardAction } from './card-action.tsx'
import { CardLine } from './card-line.tsx'
import { CardMarks } from './card-marks.tsx'
import { CardLink } from './card-link.tsx'
import type { ShownCard } from '../columns/held-columns.ts'
import type { CardActs } from '../use-board-grid.tsx'
import { ContextFigure } from '../../../components/bead/context-figure.tsx'
import { LimitFigure } from '../../../components/bead/limit-meter.tsx'
import { contextNow, fullnessOf } from '../../../components/bead/context-words.ts'
import { StateMark } from '../../../components/bead/state-mark.tsx'
import { marks } from '../../../components/bead/states.ts'
import { actingOf } from '@beadloom/core/board/board-card.ts'
import { verdictMark } from '../../../components/review/review-marks.ts'
import { shown } from '../../../ui/text/hostile-text.ts'
import { shortCount } from '@beadloom/core/text/count-text.ts'

type Props = {
  card: ShownCard
  project: string
  /** The reason why it cannot be run now. */
  refusal: string | null
  busy: boolean
  isStop: boolean
  chosen: boolean
  /** Some card is selected, so every card shows whether it is. */
  choosing: boolean
  /** Its column is not its state, so the card shows the state. */
  named: boolean
  acts: CardActs
}

/** The content of a card. Renders only when something on it has changed; its column places it. */
export const BoardCardView = memo(function BoardCardView(props: Props) {
  const { card: item, project, refusal, busy, isStop, chosen, choosing, named, acts } = props
  const { card, lane, movedTo } = item
  const { execution } = actingOf(item)
  const tokens = execution === null ? 0 : execution.tokens.input + execution.tokens.output
  const context = lane === 'running' && execution !== null ? contextNow(execution) : null
  const limit = lane === 'running' ? execution?.limit : undefined
  const tabIndex = isStop ? 0 : -1
  return (
    <>
      <div className={lane === 'completed' ? css['top'] : `${css['top']} ${css['beside']}`}>
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
        {named && <StateMark mark={marks[lane]} bare />}
        <span className={css['id']}>{card.id}</span>
        <span className={card.priority <= 1 ? css['urgent'] : undefined}>P{card.priority}</span>
        {card.type !== 'task' && <span className={css['type']}>{card.type}</span>}
        <CardMarks item={item} />
        {lane === 'running' && tokens > 0 && (
          <span className={`${css['right']} live-number`}>
            {context && (
              <span className={fullnessOf(context) === 'roomy' ? css['less'] : undefined}>
                ctx <ContextFigure context={context} />
              </span>
            )}
            <span className={context && fullnessOf(context) !== 'roomy' && !limit?.near ? css['less'] : undefined}>
              {limit ? <LimitFigure limit={limit} /> : shortCount(tokens)}
              {!limit && <span className={css['unit']}> tok</span>}
            </span>
          </span>
        )}
        {card.review !== undefined && lane === 'completed' && (
          <span className={css['right']} title={verdictMark(card.review.verdict).word}>
            <StateMark mark={verdictMark(card.review.verdict)} />
          </span>
        )}
      </div>
      <CardLink {...{ project, card, tabIndex, acts }} className={css['title']} />
      {movedTo === undefined ? <CardLine item={item} project={project} tabIndex={tabIndex} /> : <Moved to={movedTo} />}
      {lane !== 'completed' && movedTo === undefined && (
        <CardAction
          item={item}
          refusal={refusal}
          busy={busy}
          tabIndex={tabIndex}
          acts={acts}
          className={css['action']}
        />
      )}
    </>
  )
})

/** The card belongs in another column now, and moves there as soon as nobody is at it. */
const Moved = ({ to }: { to: NonNullable<ShownCard['movedTo']> }) => (
  <p className={css['line']}>
    <span className={css['moved']}>
      moved to {to.lane === null ? shown(to.name) : <StateMark mark={marks[to.lane]} />}
    </span>
  </p>
)
