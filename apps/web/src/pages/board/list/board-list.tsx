import type { BeadCard } from '@beadloom/core/api/beads/bead-api.ts'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { useEffect, useMemo } from 'react'
import css from './board-list.module.css'
import { ListRow } from './board-list-row.tsx'
import { sizes, useDensity } from '../density.ts'
import type { ListRow as Row, ShownCard } from '../columns/held-columns.ts'
import { listRows } from './list-rows.ts'
import { nextSort, sortText } from '@beadloom/core/board/card-sort.ts'
import type { ListSort, SortKey } from '@beadloom/core/board/card-sort.ts'
import type { Selection } from '../toolbar/selection.ts'
import { columnPlace, type CardDrag } from '../moves/use-card-drag.ts'
import type { BoardMoves } from '../moves/use-moves.ts'
import { useBoardGrid } from '../use-board-grid.tsx'
import { useHeldRows } from '../columns/use-held-columns.ts'
import { useWindow } from './use-window.ts'
import { runRefusal } from '../../../components/bead/bead-actions.ts'
import { StateMark } from '../../../components/bead/state-mark.tsx'
import { marks } from '../../../components/bead/states.ts'
import type { CardGroup, Grouping } from '@beadloom/core/board/board-groups.ts'
import type { BoardCard, Lane } from '@beadloom/core/board/board-card.ts'
import { useRefusal } from '../../../ui/allowed.ts'
import { shown } from '../../../ui/text/hostile-text.ts'
import { SharedHint } from '../../../ui/shared-hint.tsx'
import { countText } from '@beadloom/core/text/count-text.ts'
import { useMedia } from '../../../ui/use-media.ts'

/** Height of the row of heads, in pixels. */
const HEAD = 36

/** `from`: the list's width at which the column appears. */
const heads: { by: SortKey; word: string; number?: true; from?: 'medium' | 'wide' }[] = [
  { by: 'state', word: 'State' },
  { by: 'id', word: 'ID' },
  { by: 'title', word: 'Title' },
  { by: 'priority', word: 'Priority' },
  { by: 'type', word: 'Type', from: 'wide' },
  { by: 'labels', word: 'Labels', from: 'medium' },
  { by: 'age', word: 'Age', number: true },
  { by: 'run', word: 'Started', number: true, from: 'medium' },
  { by: 'took', word: 'Duration', number: true },
  { by: 'tokens', word: 'Tokens', number: true, from: 'medium' },
  { by: 'changes', word: 'Changes', number: true },
  { by: 'review', word: 'Review', from: 'wide' },
]
/** Includes the checkboxes at the start and the buttons at the end. */
const COLUMNS = heads.length + 2

type Props = {
  project: string
  view: ProjectView | undefined
  lanes: Record<Lane, BoardCard[]>
  by: Grouping
  beads: ReadonlyMap<string, BeadCard>
  sort: ListSort | null
  onSort: (sort: string | undefined) => void
  selection: Selection
  bulk: boolean
  onSelect: (change: (old: Selection) => Selection) => void
  moves: BoardMoves
  drag: CardDrag
}

/** The beads as a table; draws only the visible rows. */
export function BoardList(props: Props) {
  const { project, view, lanes: all, by, beads, sort, onSort, selection, bulk, onSelect, moves, drag } = props
  const density = useDensity()
  useRefusal('runner') // its rows render again once the person's rights are known
  const isPhone = useMedia('(max-width: 700px)') // the same width as in the CSS
  const step = isPhone ? sizes[density].rowOfTwo : sizes[density].row
  const sorted = useMemo(() => listRows(all, by, beads, sort), [all, by, beads, sort])
  const { rows, onPointer, release } = useHeldRows(sorted)
  /** Only the beads, with the row of each: group names are skipped. */
  const { columns, places } = useMemo(() => {
    const cards: ShownCard[] = []
    const at: number[] = []
    for (const [row, { item }] of rows.entries())
      if (item !== null) {
        cards.push(item)
        at.push(row)
      }
    return { columns: [cards], places: at }
  }, [rows])
  const grid = useBoardGrid({ project, view, columns, selection, bulk, onSelect, moves })
  const { ref, scroller, from, to, show } = useWindow({ count: rows.length, step, beyond: 4, head: HEAD })
  const kept = grid.kept === null ? null : (places[grid.kept.row] ?? null)
  const wanted = grid.wanted === null ? null : (places[grid.wanted.row] ?? null)
  const { focused } = grid.acts
  useEffect(() => {
    if (wanted === null) return
    show(wanted)
    const id = rows[wanted]?.key ?? ''
    requestAnimationFrame(() => {
      scroller()
        ?.querySelector<HTMLElement>(`[data-bead="${CSS.escape(id)}"] a[title]`)
        ?.focus({ preventScroll: true })
      focused()
    })
  }, [wanted, rows, show, scroller, focused])

  /** The target of a card dropped on this row: the row's group. In a sorted list, states are no targets. */
  const placeOf = (row: Row): string | undefined => {
    const { lane, priority } = row.item === null ? { lane: row.group.key, priority: row.group.key } : placesIn(row.item)
    if (by === 'priority') return columnPlace(priority)
    return by === 'state' && sort === null ? columnPlace(lane) : undefined
  }
  const isOver = (row: Row): boolean => {
    const over = drag.held?.over ?? null
    return over !== null && over === placeOf(row) && drag.offer(over) !== null
  }
  const isHeld = drag.held !== null
  useEffect(() => release(), [isHeld, release])
  const apart = kept !== null && (kept < from || kept >= to) ? kept : null
  const drawn = Array.from({ length: to - from }, (_, index) => from + index)
  if (apart !== null && apart < from) drawn.unshift(apart)
  else if (apart !== null) drawn.push(apart)
  return (
    <SharedHint className={css['hints']}>
      <div ref={ref} className={density === 'compact' ? `${css['scroller']} ${css['compact']}` : css['scroller']}>
        <div role="table" aria-label={`Beads in ${project}`} aria-rowcount={rows.length + 1} className={css['table']}>
          <div role="rowgroup" className={css['heads']}>
            <div role="row" aria-rowindex={1} className={css['row']}>
              <span role="columnheader" className={css['cell']}>
                <span className="visually-hidden">Selected</span>
              </span>
              {heads.map(({ by, word, number, from: width }) => {
                const on = sort?.by === by ? sort : null
                return (
                  <span
                    key={by}
                    role="columnheader"
                    aria-sort={on === null ? 'none' : on.down ? 'descending' : 'ascending'}
                    className={[
                      css['cell'],
                      number && css['number'],
                      by === 'review' && css['review'],
                      width && css[width],
                    ]
                      .filter(Boolean)
                      .join(' ')}
                  >
                    <button
                      type="button"
                      className={css['sort']}
                      onClick={() => {
                        const next = nextSort(sort, by)
                        onSort(next === null ? undefined : sortText(next))
                      }}
                    >
                      {word}
                      {on !== null &&
                        (on.down ? (
                          <ArrowDown size={14} strokeWidth={1.5} aria-hidden />
                        ) : (
                          <ArrowUp size={14} strokeWidth={1.5} aria-hidden />
                        ))}
                    </button>
                  </span>
                )
              })}
              <span role="columnheader" className={css['cell']}>
                <span className="visually-hidden">Run or cancel</span>
              </span>
            </div>
          </div>
          <div
            role="rowgroup"
            className={css['body']}
            style={{ height: rows.length * step, paddingTop: from * step }}
            onPointerMove={(event) => event.pointerType !== 'touch' && onPointer(true)}
            onPointerLeave={() => onPointer(false)}
          >
            {drawn.map((at) => {
              const row = rows[at]
              if (row === undefined) return null
              if (row.item === null)
                return (
                  <GroupRow key={row.key} group={row.group} index={at + 2} place={placeOf(row)} isOver={isOver(row)} />
                )
              const { item } = row
              const { card, execution } = item
              const chosen = selection.ids.has(card.id)
              const looks = [css['row'], css['bead'], chosen && css['chosen'], at === apart && css['apart']]
              return (
                <div
                  key={row.key}
                  role="row"
                  aria-rowindex={at + 2}
                  data-bead={card.id}
                  data-lane={item.lane}
                  data-drop={placeOf(row)}
                  className={looks.filter(Boolean).join(' ')}
                  style={at === apart ? { top: at * step } : undefined}
                  onFocus={() => grid.acts.active(card.id)}
                >
                  <ListRow
                    card={item}
                    project={project}
                    refusal={runRefusal(card, execution, view)}
                    busy={grid.busy(card.id)}
                    isStop={grid.tabStop === card.id}
                    chosen={chosen}
                    acts={grid.acts}
                  />
                </div>
              )
            })}
          </div>
        </div>
      </div>
      {grid.dialogs}
    </SharedHint>
  )
}

const placesIn = ({ lane, card }: BoardCard) => ({ lane, priority: String(card.priority) })

type GroupRowProps = { group: CardGroup; index: number; place: string | undefined; isOver: boolean }

/** The property that the beads below it share. */
function GroupRow({ group: { lane, name, cards }, index, place, isOver }: GroupRowProps) {
  return (
    <div
      role="row"
      aria-rowindex={index}
      data-drop={place}
      className={isOver ? `${css['group']} ${css['over']}` : css['group']}
    >
      <span role="cell" aria-colspan={COLUMNS}>
        {lane === null ? <span className={css['name']}>{shown(name)}</span> : <StateMark mark={marks[lane]} />}
        <span className={css['count']}>{countText(cards.length)}</span>
      </span>
    </div>
  )
}
