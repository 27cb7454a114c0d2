import { useContext, createContext } from 'react'
import css from './board-card.module.css'
import { CardStages } from './card-stages.tsx'
import type { ShownCard } from '../columns/held-columns.ts'
import { BeadMentions } from '../../../components/bead/bead-mentions.tsx'
import { actingOf } from '@beadloom/core/board/board-card.ts'
import { stateLine } from '../../../components/bead/state-line.ts'
import { shown } from '../../../ui/text/hostile-text.ts'
import { counted } from '@beadloom/core/text/count-text.ts'
import { LineChange } from '../../../ui/line-change.tsx'

type Props = { item: ShownCard; project: string; tabIndex: number }

/** The line of a card about what happens now. Only lines with a time follow the clock. */
export const CardLine = (props: Props) => (tellsTime(props.item) ? <Timed {...props} /> : <Line {...props} now={0} />)

const tellsTime = ({ lane, card }: ShownCard): boolean =>
  lane === 'running' ||
  lane === 'completed' ||
  (lane === 'open' && card.ready) ||
  ((lane === 'queued' || lane === 'open') && card.reason?.until !== undefined)

const Timed = (props: Props) => <Line {...props} now={useContext(CardClock)} />

function Line({ item, project, tabIndex, now }: Props & { now: number }) {
  const { through } = item
  const acting = actingOf(item)
  const { text, figures, extra, change, waits } = stateLine(acting, now)
  const { reason } = acting.card
  return (
    <p className={`${css['line']} ${css[waits ? 'blocked' : item.lane]}`} title={text}>
      {item.lane === 'running' && acting.execution && <CardStages execution={acting.execution} />}
      <span className={css['what']}>
        {through && item.lane !== 'running' && <span className={css['through']}>follow-up: </span>}
        {reason?.beads && text === reason.text ? (
          <BeadMentions reason={reason} project={project} tabIndex={tabIndex} />
        ) : (
          shown(text)
        )}
      </span>
      {change !== undefined && (
        <span className={css['figures']} title={`${counted(change.files, 'file')} changed`}>
          <LineChange {...change} short />
        </span>
      )}
      {extra !== undefined && item.lane !== 'running' && (
        <span className={`${css['figures']} ${css['extra']} live-number`}>{extra}</span>
      )}
      {figures !== '' && <span className={`${css['figures']} live-number`}>{figures}</span>}
    </p>
  )
}

/**
 * The server's time for the lines of cards, from their board: cards come and go too often to follow the clock
 * themselves.
 */
export const CardClock = createContext(0)
