import { memo } from 'react'
import css from './board-list.module.css'
import { CardAction } from '../cards/card-action.tsx'
import { CardLink } from '../cards/card-link.tsx'
import type { ShownCard } from '../columns/held-columns.ts'
import { runAt, tokensOf, tookMs } from '@beadloom/core/board/card-sort.ts'
import type { CardActs } from '../use-board-grid.tsx'
import { actingOf } from '@beadloom/core/board/board-card.ts'
import { stateLine } from '../../../components/bead/state-line.ts'
import { StateMark } from '../../../components/bead/state-mark.tsx'
import { marks } from '../../../components/bead/states.ts'
import { verdictMark } from '../../../components/review/review-marks.ts'
import { useServerNow } from '../../../feed/feed-context.tsx'
import { shown } from '../../../ui/text/hostile-text.ts'
import { shortCount } from '@beadloom/core/text/count-text.ts'
import { agoText, elapsedText, exactText } from '../../../ui/text/time-text.ts'
import { LineChange } from '../../../ui/line-change.tsx'

type Props = {
  card: ShownCard
  project: string
  refusal: string | null
  busy: boolean
  isStop: boolean
  chosen: boolean
  acts: CardActs
}

export const ListRow = memo(function ListRow({ card: item, project, refusal, busy, isStop, chosen, acts }: Props) {
  const { card, lane } = item
  const acting = actingOf(item)
  const { execution } = acting
  const now = useServerNow()
  const { text, figures } = stateLine(acting, now)
  const tabIndex = isStop ? 0 : -1
  const run = runAt(acting)
  const since = lane === 'running' ? (execution?.startedAt ?? null) : null
  const took = since === null ? tookMs(acting) : now - since
  const tokens = tokensOf(acting)
  const labels = card.labels.join(', ')
  return (
    <>
      <span role="cell" className={`${css['cell']} ${css['box']}`}>
        <input
          type="checkbox"
          className={css['choose']}
          checked={chosen}
          aria-label={`Select ${card.id}`}
          tabIndex={tabIndex}
          onChange={() => acts.choose(card.id, 'toggle')}
        />
      </span>
      <span role="cell" className={`${css['cell']} ${css['state']}`} title={`${text} ${figures}`.trim()}>
        <StateMark mark={marks[lane]} />
      </span>
      <span role="cell" className={`${css['cell']} ${css['id']}`} title={card.id}>
        {shown(card.id)}
      </span>
      <span role="cell" className={`${css['cell']} ${css['title']}`}>
        <CardLink {...{ project, card, tabIndex, acts }} className={undefined} />
      </span>
      <span role="cell" className={`${css['cell']} ${css['priority']} ${card.priority <= 1 ? css['urgent'] : ''}`}>
        P{card.priority}
      </span>
      <span role="cell" className={`${css['cell']} ${css['wide']}`}>
        {shown(card.type)}
      </span>
      <span role="cell" className={`${css['cell']} ${css['medium']} ${css['labels']}`} title={shown(labels)}>
        {shown(labels)}
      </span>
      <span role="cell" className={`${css['cell']} ${css['number']} ${css['age']}`} title={exactText(card.createdAt)}>
        {agoText(now - card.createdAt)}
      </span>
      <span
        role="cell"
        className={`${css['cell']} ${css['medium']} ${css['number']} live-number`}
        title={run === null ? undefined : exactText(run)}
      >
        {run === null ? '' : agoText(now - run)}
      </span>
      <span role="cell" className={`${css['cell']} ${css['number']} ${css['took']} live-number`}>
        {took === null ? '' : elapsedText(took)}
      </span>
      <span role="cell" className={`${css['cell']} ${css['medium']} ${css['number']} live-number`}>
        {tokens === null || tokens === 0 ? '' : shortCount(tokens)}
      </span>
      <span role="cell" className={`${css['cell']} ${css['number']} ${css['changes']}`}>
        {execution?.diffSize ? <LineChange {...execution.diffSize} short /> : ''}
      </span>
      <span role="cell" className={`${css['cell']} ${css['wide']} ${css['review']}`}>
        {card.review === undefined ? '' : <StateMark mark={verdictMark(card.review.verdict)} />}
      </span>
      <span role="cell" className={`${css['cell']} ${css['act']}`}>
        {lane !== 'completed' && (
          <CardAction
            item={item}
            refusal={refusal}
            busy={busy}
            tabIndex={tabIndex}
            acts={acts}
            className={css['action']}
          />
        )}
      </span>
    </>
  )
})
