import type { ProjectView } from '@beadloom/core/api.ts'
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { useEffect, useMemo, useRef } from 'react'
import css from './board-list.module.css'
import { ListRow } from './board-list-row.tsx'
import { nextSort, sortCards, sortText } from './list-sort.ts'
import type { ListSort, SortKey } from './list-sort.ts'
import type { Selection } from './selection.ts'
import { useBoardGrid } from './use-board-grid.tsx'
import { useHeldRows } from './use-held-lanes.ts'
import { runRefusal } from '../../components/bead/bead-actions.ts'
import { lanes } from '../../feed/lanes.ts'
import type { BoardCard, Lane } from '../../feed/lanes.ts'

const ROW = 36

const heads: { by: SortKey; word: string; number?: true }[] = [
  { by: 'state', word: 'State' },
  { by: 'id', word: 'Id' },
  { by: 'title', word: 'Title' },
  { by: 'priority', word: 'Priority' },
  { by: 'type', word: 'Type' },
  { by: 'labels', word: 'Labels' },
  { by: 'age', word: 'Age', number: true },
  { by: 'run', word: 'Last run', number: true },
  { by: 'took', word: 'Took', number: true },
  { by: 'tokens', word: 'Tokens', number: true },
]

type Props = {
  project: string
  view: ProjectView | undefined
  lanes: Record<Lane, BoardCard[]>
  sort: ListSort | null
  onSort: (sort: string | undefined) => void
  selection: Selection
  onSelect: (change: (old: Selection) => Selection) => void
}

/** The same beads as a table; only the rows that can be seen are drawn. */
export function BoardList({ project, view, lanes: all, sort, onSort, selection, onSelect }: Props) {
  const sorted = useMemo(
    () =>
      sortCards(
        lanes.flatMap((lane) => all[lane]),
        sort,
      ),
    [all, sort],
  )
  const { rows: cards, onPointer } = useHeldRows(sorted)
  const columns = useMemo(() => [cards], [cards])
  const grid = useBoardGrid({ project, view, columns, selection, onSelect })
  const scroller = useRef<HTMLDivElement>(null)
  const kept = grid.kept?.row ?? null
  const wanted = grid.wanted?.row ?? null
  const { focused } = grid.acts
  // oxlint-disable-next-line react/incompatible-library -- its results stay in this component
  const virtual = useVirtualizer({
    count: cards.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 10,
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
    const id = cards[wanted]?.card.id ?? ''
    requestAnimationFrame(() => {
      scroller.current
        ?.querySelector<HTMLElement>(`[data-bead="${CSS.escape(id)}"] a[title]`)
        ?.focus({ preventScroll: true })
      focused()
    })
  }, [wanted, cards, virtual, focused])

  return (
    <div ref={scroller} className={css['scroller']}>
      <div role="table" aria-label={`Beads of ${project}`} aria-rowcount={cards.length + 1} className={css['table']}>
        <div role="rowgroup" className={css['heads']}>
          <div role="row" aria-rowindex={1} className={css['row']}>
            <span role="columnheader" className={css['cell']}>
              <span className="visually-hidden">Selected</span>
            </span>
            {heads.map(({ by, word, number }) => {
              const on = sort?.by === by ? sort : null
              return (
                <span
                  key={by}
                  role="columnheader"
                  aria-sort={on === null ? 'none' : on.down ? 'descending' : 'ascending'}
                  className={number ? `${css['cell']} ${css['number']}` : css['cell']}
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
          style={{ height: virtual.getTotalSize() }}
          onPointerMove={(event) => event.pointerType !== 'touch' && onPointer(true)}
          onPointerLeave={() => onPointer(false)}
        >
          {virtual.getVirtualItems().map(({ index, start }) => {
            const item = cards[index]
            if (item === undefined) return null
            const { card, execution } = item
            const chosen = selection.ids.has(card.id)
            return (
              <div
                key={card.id}
                role="row"
                aria-rowindex={index + 2}
                data-bead={card.id}
                data-lane={item.lane}
                className={chosen ? `${css['row']} ${css['bead']} ${css['chosen']}` : `${css['row']} ${css['bead']}`}
                style={{ transform: `translateY(${start}px)` }}
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
      {grid.dialogs}
    </div>
  )
}
