import type { BeadCard } from '@beadloom/core/api/beads/bead-api.ts'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import { useEffect, useMemo } from 'react'
import css from './board-list.module.css'
import { ListRow } from './board-list-row.tsx'
import { sizes, useDensity } from '../density.ts'
import type { ListRow as Row, ShownCard } from '../columns/held-columns.ts'
import { listRows } from './list-rows.ts'
import type { ListSort } from '@beadloom/core/board/card-sort.ts'
import type { Selection } from '../toolbar/selection.ts'
import { columnPlace, type CardDrag } from '../moves/use-card-drag.ts'
import type { BoardMoves } from '../moves/use-moves.ts'
import { useBoardGrid, type BoardGrid } from '../use-board-grid.tsx'
import { useHeldRows } from '../columns/use-held-columns.ts'
import { listColumns } from './list-columns.ts'
import { ListHeads } from './list-heads.tsx'
import { useCardWindow } from './use-card-window.ts'
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

/** Includes the checkboxes at the start and the buttons at the end. */
const COLUMNS = listColumns.length + 2

export type BoardListProps = {
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
export function BoardList(props: BoardListProps) {
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
  const rowOf = (place: { row: number } | null) => (place === null ? null : (places[place.row] ?? null))
  const wanted = rowOf(grid.wanted)
  const {
    ref,
    from,
    apart,
    rows: drawn,
  } = useCardWindow({
    count: rows.length,
    step,
    beyond: 4,
    head: HEAD,
    kept: rowOf(grid.kept),
    wanted,
    bead: wanted === null ? undefined : rows[wanted]?.key,
    focused: grid.acts.focused,
  })

  const placeOf = (row: Row) => dropPlaceOf(row, by, sort)
  const isOver = (row: Row): boolean => {
    const over = drag.held?.over ?? null
    return over !== null && over === placeOf(row) && drag.offer(over) !== null
  }
  const isHeld = drag.held !== null
  useEffect(() => release(), [isHeld, release])
  return (
    <SharedHint className={css['hints']}>
      <div ref={ref} className={density === 'compact' ? `${css['scroller']} ${css['compact']}` : css['scroller']}>
        <div role="table" aria-label={`Beads in ${project}`} aria-rowcount={rows.length + 1} className={css['table']}>
          <ListHeads sort={sort} onSort={onSort} />
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
              const place = { index: at, top: at === apart ? at * step : null, drop: placeOf(row) }
              const chosen = selection.ids.has(row.item.card.id)
              return <BeadRow key={row.key} {...{ project, view, item: row.item, chosen, grid, place }} />
            })}
          </div>
        </div>
      </div>
      {grid.dialogs}
    </SharedHint>
  )
}

/** The target of a card dropped on this row: the row's group. In a sorted list, states are no targets. */
function dropPlaceOf(row: Row, by: Grouping, sort: ListSort | null): string | undefined {
  if (by === 'priority') return columnPlace(row.item === null ? row.group.key : String(row.item.card.priority))
  return by === 'state' && sort === null ? columnPlace(row.item === null ? row.group.key : row.item.lane) : undefined
}

type BeadRowProps = Pick<BoardListProps, 'project' | 'view'> & {
  item: ShownCard
  chosen: boolean
  grid: BoardGrid
  /** `top`: its place in pixels, if it is drawn away from the others. */
  place: { index: number; top: number | null; drop: string | undefined }
}

function BeadRow({ project, view, item, chosen, grid, place }: BeadRowProps) {
  const { card, execution } = item
  const looks = [css['row'], css['bead'], chosen && css['chosen'], place.top !== null && css['apart']]
  return (
    <div
      role="row"
      aria-rowindex={place.index + 2}
      data-bead={card.id}
      data-lane={item.lane}
      data-drop={place.drop}
      className={looks.filter(Boolean).join(' ')}
      style={place.top === null ? undefined : { top: place.top }}
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
}

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
