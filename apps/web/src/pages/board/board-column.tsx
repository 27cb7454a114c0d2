import type { ProjectView, ServerStatus } from '@beadloom/core/api.ts'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef } from 'react'
import { CARD_GAP, CARD_HEIGHT, BoardCardView } from './board-card.tsx'
import css from './board-column.module.css'
import type { BeadCommands } from '../../components/bead/bead-commands.tsx'
import { marks } from '../../components/bead/states.ts'
import tones from '../../components/bead/tones.module.css'
import { useServerNow } from '../../feed/feed-context.tsx'
import type { BoardCard, Lane } from '../../feed/lanes.ts'
import { agoText, countText } from '../../ui/time-text.ts'

type Props = {
  lane: Lane
  cards: readonly BoardCard[]
  project: string
  view: ProjectView | undefined
  slots: ServerStatus['slots'] | null
  alone: boolean
  commands: BeadCommands
  tabStop: string | null
  /** Index of the card that the keyboard wants, if it is in this column. */
  wanted: number | null
  onFocused: () => void
  onActive: (id: string) => void
}

export function BoardColumn(props: Props) {
  const { lane, cards, slots, alone, wanted, onFocused } = props
  const scroller = useRef<HTMLDivElement>(null)
  // oxlint-disable-next-line react/incompatible-library -- its results stay in this component
  const virtual = useVirtualizer({
    count: cards.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => CARD_HEIGHT,
    gap: CARD_GAP,
    overscan: 6,
    getItemKey: (index) => cards[index]?.card.id ?? index,
  })
  useEffect(() => {
    if (wanted === null) return
    virtual.scrollToIndex(wanted, { align: 'auto' })
    const id = cards[wanted]?.card.id
    requestAnimationFrame(() => {
      const card =
        id === undefined ? null : scroller.current?.querySelector<HTMLElement>(`[data-bead="${CSS.escape(id)}"] a`)
      card?.focus({ preventScroll: true })
      card?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
      onFocused()
    })
  }, [wanted, cards, virtual, onFocused])

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
          {lane === 'running' && slots ? `${cards.length}/${slots.total}` : countText(cards.length)}
        </span>
        {!empty && (lane === 'queued' || lane === 'running') && <Oldest cards={cards} />}
        {lane === 'open' && !empty && <Ready cards={cards} />}
      </h2>
      {empty ? (
        alone && <p className={css['none']}>Nothing is {mark.word.toLowerCase()}.</p>
      ) : (
        <div ref={scroller} className={css['scroller']}>
          <div
            role="list"
            aria-labelledby={`lane-${lane}`}
            className={css['list']}
            style={{ height: virtual.getTotalSize() }}
          >
            {virtual.getVirtualItems().map((item) => {
              const card = cards[item.index]
              return (
                card && (
                  <BoardCardView
                    key={card.card.id}
                    card={card}
                    index={item.index}
                    count={cards.length}
                    top={item.start}
                    {...props}
                  />
                )
              )
            })}
          </div>
        </div>
      )}
    </section>
  )
}

/** How long the oldest card has been here. */
function Oldest({ cards }: { cards: readonly BoardCard[] }) {
  const now = useServerNow()
  const since = Math.min(
    ...cards.map(({ execution, lane }) => (lane === 'running' ? execution?.startedAt : execution?.queuedAt) ?? now),
  )
  return (
    <span className={`${css['age']} live-number`} title={`The oldest is here for ${agoText(now - since)}`}>
      {agoText(now - since)}
    </span>
  )
}

function Ready({ cards }: { cards: readonly BoardCard[] }) {
  const ready = cards.filter(({ card }) => card.ready).length
  return <span className={css['age']}>{countText(ready)} ready</span>
}
