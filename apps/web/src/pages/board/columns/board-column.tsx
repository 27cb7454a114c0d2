import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import type { ServerStatus } from '@beadloom/core/api/server/server-api.ts'
import { memo, useId } from 'react'
import { BoardCardView } from '../cards/board-card.tsx'
import cardCss from '../cards/board-card.module.css'
import css from './board-column.module.css'
import { ColumnHead } from './column-head.tsx'
import { sizes } from '../density.ts'
import type { Density } from '../density.ts'
import type { ShownCard } from './held-columns.ts'
import type { Day } from './recent-days.ts'
import type { CardActs } from '../use-board-grid.tsx'
import { columnPlace } from '../moves/use-card-drag.ts'
import { useCardWindow } from '../list/use-card-window.ts'
import { runRefusal } from '../../../components/bead/bead-actions.ts'
import { marks } from '../../../components/bead/states.ts'
import tones from '../../../components/bead/tones.module.css'
import type { Lane } from '@beadloom/core/board/board-card.ts'
import { useRefusal } from '../../../ui/allowed.ts'
import { Button } from '../../../ui/button.tsx'
import { countText } from '@beadloom/core/text/count-text.ts'
import { dayText } from '../../../ui/text/time-text.ts'

/** A column's answer to the dragged cards; null: none are dragged, or they are its own. */
export type ColumnDrop = 'takes' | 'over' | 'refuses' | null

type Props = {
  column: string
  /** The state of all its cards; null if columns are not states. */
  lane: Lane | null
  name: string
  cards: readonly ShownCard[]
  /** The number of beads in this state, shown or not. */
  count: number
  /** The next earlier day of completed beads that can be shown, too. */
  older: Day | null
  onOlder: () => void
  project: string
  view: ProjectView | undefined
  slots: ServerStatus['slots'] | null
  alone: boolean
  density: Density
  acts: CardActs
  busy: (bead: string) => boolean
  /** The card that Tab goes to, in any column. */
  tabStop: string | null
  chosen: ReadonlySet<string>
  /** Index of the card that the keyboard moves to, if it is in this column. */
  wanted: number | null
  /** Index of the current card: it stays in the document while scrolled away, so that the focus is not lost. */
  kept: number | null
  /** The pointer has moved over the cards, or has left them (null). */
  onPointer: (column: string | null) => void
  drop: ColumnDrop
}

/** One column; renders only when something in it has changed. */
export const BoardColumn = memo(function BoardColumn(props: Props) {
  useRefusal('runner') // its cards render again once the person's rights are known
  const { column, lane, name, cards, count, older, slots, alone, density } = props
  const { acts, wanted, kept, onPointer, drop } = props
  const { card: height, gap } = sizes[density]
  const step = height + gap
  const { ref, from, apart, rows } = useCardWindow({
    count: cards.length,
    step,
    beyond: 2,
    kept,
    wanted,
    bead: wanted === null ? undefined : cards[wanted]?.card.id,
    focused: acts.focused,
    sideways: true,
  })

  const empty = cards.length === 0
  const own = useId()
  const label = lane === null ? own : `lane-${lane}`
  return (
    <section
      className={[
        css['column'],
        lane !== null && `${css['state']} ${tones[marks[lane].tone]}`,
        density === 'compact' && cardCss['compact'],
        drop && css[drop],
      ]
        .filter(Boolean)
        .join(' ')}
      aria-labelledby={label}
      data-column={column}
      data-drop={columnPlace(column)}
    >
      <ColumnHead id={label} lane={lane} name={name} cards={cards} count={count} slots={slots} />
      {empty ? (
        alone && <p className={css['none']}>Nothing is {lane === null ? 'here' : marks[lane].word.toLowerCase()}.</p>
      ) : (
        <div
          ref={ref}
          className={css['scroller']}
          onFocus={({ target }) => {
            const bead = target.closest<HTMLElement>('[data-bead]')?.dataset['bead']
            if (bead !== undefined) acts.active(bead)
          }}
          onPointerMove={(event) => event.pointerType !== 'touch' && onPointer(column)}
          onPointerLeave={() => onPointer(null)}
        >
          <div
            role="list"
            aria-labelledby={label}
            className={css['list']}
            style={{ height: cards.length * step - gap, paddingTop: from * step }}
          >
            {rows.map((row) => {
              const item = cards[row]
              if (item === undefined) return null
              const top = row === apart ? row * step : null
              return <Slot key={item.card.id} {...props} item={item} row={row} top={top} />
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
})

/** `top`: its place in pixels, if it is drawn away from the others. */
type SlotProps = Props & { item: ShownCard; row: number; top: number | null }

function Slot({ item, row, top, cards, chosen, lane, project, view, acts, busy, tabStop }: SlotProps) {
  const { card, execution, movedTo } = item
  const isChosen = chosen.has(card.id)
  const looks = [
    cardCss['card'],
    item.lane === 'open' && !card.ready && cardCss['waiting'],
    isChosen && cardCss['chosen'],
    movedTo !== undefined && cardCss['held'],
    top !== null && cardCss['apart'],
  ]
  return (
    <div
      role="listitem"
      aria-posinset={row + 1}
      aria-setsize={cards.length}
      data-bead={card.id}
      data-lane={item.lane}
      className={looks.filter(Boolean).join(' ')}
      style={top === null ? undefined : { top }}
    >
      <BoardCardView
        card={item}
        project={project}
        refusal={runRefusal(card, execution, view)}
        busy={busy(card.id)}
        isStop={tabStop === card.id}
        chosen={isChosen}
        choosing={chosen.size > 0}
        named={lane === null}
        acts={acts}
      />
    </div>
  )
}
