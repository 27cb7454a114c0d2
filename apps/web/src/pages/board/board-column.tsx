import type { ProjectView, ServerStatus } from '@beadloom/core/api.ts'
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef } from 'react'
import { CARD_GAP, CARD_HEIGHT, BoardCardView } from './board-card.tsx'
import cardCss from './board-card.module.css'
import css from './board-column.module.css'
import type { ShownCard } from './held-lanes.ts'
import type { Day } from './recent-days.ts'
import type { BoardGrid } from './use-board-grid.tsx'
import { runRefusal } from '../../components/bead/bead-actions.ts'
import { marks } from '../../components/bead/states.ts'
import tones from '../../components/bead/tones.module.css'
import { useServerNow } from '../../feed/feed-context.tsx'
import type { Lane } from '../../feed/lanes.ts'
import { Button } from '../../ui/button.tsx'
import { agoText, countText, dayText } from '../../ui/time-text.ts'

type Props = {
  lane: Lane
  cards: readonly ShownCard[]
  /** How many beads are in this state, shown or not. */
  count: number
  /** Completed beads of an earlier day that can be shown too. */
  older: Day | null
  onOlder: () => void
  project: string
  view: ProjectView | undefined
  slots: ServerStatus['slots'] | null
  alone: boolean
  grid: BoardGrid
  chosen: ReadonlySet<string>
  /** Index of the card that the keyboard wants, if it is in this column. */
  wanted: number | null
  /** Index of the card at hand: it stays in the page wherever one scrolls, so that the focus is not lost. */
  kept: number | null
  /** The pointer has moved over the cards, or has left them. */
  onPointer: (lane: Lane | null) => void
}

export function BoardColumn(props: Props) {
  const { lane, cards, count, older, slots, alone, wanted, kept, grid, view, project, chosen, onPointer } = props
  const { focused } = grid.acts
  const scroller = useRef<HTMLDivElement>(null)
  // oxlint-disable-next-line react/incompatible-library -- its results stay in this component
  const virtual = useVirtualizer({
    count: cards.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => CARD_HEIGHT,
    gap: CARD_GAP,
    overscan: 6,
    getItemKey: (index) => cards[index]?.card.id ?? index,
    rangeExtractor: (range) => {
      const drawn = defaultRangeExtractor(range)
      return kept === null || kept >= cards.length || drawn.includes(kept)
        ? drawn
        : [...drawn, kept].toSorted((a, b) => a - b)
    },
  })
  useEffect(() => {
    if (wanted === null) return
    virtual.scrollToIndex(wanted, { align: 'auto' })
    const id = cards[wanted]?.card.id
    requestAnimationFrame(() => {
      const card =
        id === undefined
          ? null
          : scroller.current?.querySelector<HTMLElement>(`[data-bead="${CSS.escape(id)}"] a[title]`)
      card?.focus({ preventScroll: true })
      card?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
      focused()
    })
  }, [wanted, cards, virtual, focused])

  const mark = marks[lane]
  const Icon = mark.icon
  const empty = cards.length === 0
  return (
    <section
      className={`${css['column']} ${tones[mark.tone]} ${empty && !alone ? css['empty'] : ''}`}
      aria-labelledby={`lane-${lane}`}
    >
      <h2 className={css['head']} id={`lane-${lane}`}>
        <Icon size={16} strokeWidth={1.75} aria-hidden className={css['glyph']} />
        <span className={css['word']}>{mark.word}</span>
        <span className={`${css['count']} live-number`}>
          {lane === 'running' && slots ? `${count}/${slots.total}` : countText(count)}
        </span>
        {!empty && (lane === 'queued' || lane === 'running') && <Oldest cards={cards} />}
        {lane === 'open' && !empty && <Ready cards={cards} />}
      </h2>
      {empty ? (
        alone && <p className={css['none']}>Nothing is {mark.word.toLowerCase()}.</p>
      ) : (
        <div
          ref={scroller}
          className={css['scroller']}
          onPointerMove={(event) => event.pointerType !== 'touch' && onPointer(lane)}
          onPointerLeave={() => onPointer(null)}
        >
          <div
            role="list"
            aria-labelledby={`lane-${lane}`}
            className={css['list']}
            style={{ height: virtual.getTotalSize() }}
          >
            {virtual.getVirtualItems().map(({ index, start }) => {
              const item = cards[index]
              if (item === undefined) return null
              const { card, execution, movedTo } = item
              const looks = [
                cardCss['card'],
                lane === 'open' && !card.ready && cardCss['waiting'],
                chosen.has(card.id) && cardCss['chosen'],
                movedTo !== undefined && cardCss['held'],
              ]
              return (
                <div
                  key={card.id}
                  role="listitem"
                  aria-posinset={index + 1}
                  aria-setsize={cards.length}
                  data-bead={card.id}
                  data-lane={lane}
                  className={looks.filter(Boolean).join(' ')}
                  style={{ transform: `translateY(${start}px)`, height: CARD_HEIGHT }}
                  onFocus={() => grid.acts.active(card.id)}
                >
                  <BoardCardView
                    card={item}
                    project={project}
                    refusal={runRefusal(card, execution, view)}
                    busy={grid.busy(card.id)}
                    isStop={grid.tabStop === card.id}
                    chosen={chosen.has(card.id)}
                    choosing={chosen.size > 0}
                    acts={grid.acts}
                  />
                </div>
              )
            })}
          </div>
          {older && (
            <Button look="quiet" className={css['older']} onClick={props.onOlder}>
              {dayText(older.start)}: {countText(older.count)} more
            </Button>
          )}
        </div>
      )}
    </section>
  )
}

/** How long the oldest card has been here. */
function Oldest({ cards }: { cards: readonly ShownCard[] }) {
  const now = useServerNow()
  const since = cards.reduce(
    (least, { execution, lane }) =>
      Math.min(least, (lane === 'running' ? execution?.startedAt : execution?.queuedAt) ?? now),
    now,
  )
  return (
    <span className={`${css['age']} live-number`} title={`The oldest is here for ${agoText(now - since)}`}>
      {agoText(now - since)}
    </span>
  )
}

function Ready({ cards }: { cards: readonly ShownCard[] }) {
  const ready = cards.filter(({ card }) => card.ready).length
  return <span className={css['age']}>{countText(ready)} ready</span>
}
