import type { ServerStatus } from '@beadloom/core/api/server/server-api.ts'
import css from './board-column.module.css'
import type { ShownCard } from './held-columns.ts'
import { marks } from '../../../components/bead/states.ts'
import { useServerNow } from '../../../feed/feed-context.tsx'
import { actingOf, type Lane } from '@beadloom/core/board/board-card.ts'
import { canStart } from '@beadloom/core/dispatch/reason.ts'
import { shown } from '../../../ui/text/hostile-text.ts'
import { countText } from '@beadloom/core/text/count-text.ts'
import { agoText } from '../../../ui/text/time-text.ts'

type Props = {
  id: string
  lane: Lane | null
  name: string
  cards: readonly ShownCard[]
  count: number
  slots: ServerStatus['slots'] | null
}

/** The name of a column, its number of beads, and the most important fact about them. */
export function ColumnHead({ id, lane, name, cards, count, slots }: Props) {
  const mark = lane === null ? null : marks[lane]
  const Icon = mark?.icon
  const word = mark === null ? shown(name) : mark.word
  return (
    <h2 className={css['head']} id={id}>
      {Icon && <Icon size={16} strokeWidth={1.75} aria-hidden className={css['glyph']} />}
      <span className={css['word']} title={mark === null ? word : undefined}>
        {word}
      </span>
      <span className={`${css['count']} live-number`}>
        {slots?.used === count ? `${count}/${slots.total}` : countText(count)}
      </span>
      {slots && slots.used !== count && (
        <span
          className={`${css['slots']} live-number`}
          title={`${slots.used} of ${slots.total} slots in use. Reviews and other projects use slots, too; a bead that only waits for its push uses none.`}
        >
          {slots.used}/{slots.total} slots
        </span>
      )}
      {cards.length > 0 && (lane === 'queued' || lane === 'running') && <Oldest cards={cards} />}
      {cards.length > 0 && (lane === 'open' || lane === null) && <Share cards={cards} lane={lane} />}
    </h2>
  )
}

/** The time for which the oldest card has been here. */
function Oldest({ cards }: { cards: readonly ShownCard[] }) {
  const now = useServerNow()
  const since = cards.reduce((least, item) => {
    const { execution } = actingOf(item)
    return Math.min(least, (item.lane === 'running' ? execution?.startedAt : execution?.queuedAt) ?? now)
  }, now)
  return (
    <span className={`${css['age']} live-number`} title={`The oldest has been here for ${agoText(now - since)}`}>
      {agoText(now - since)}
    </span>
  )
}

/** For open beads, how many can run; for others, how many are done. */
function Share({ cards, lane }: { cards: readonly ShownCard[]; lane: Lane | null }) {
  const [part, word] =
    lane === 'open'
      ? [cards.filter(({ card }) => card.ready && canStart(card.reason)), 'ready']
      : [cards.filter((item) => item.lane === 'completed'), 'completed']
  return (
    <span className={css['age']}>
      {countText(part.length)} {word}
    </span>
  )
}
