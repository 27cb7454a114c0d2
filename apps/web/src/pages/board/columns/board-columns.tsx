import type { BeadCard } from '@beadloom/core/api/beads/bead-api.ts'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import type { ServerStatus } from '@beadloom/core/api/server/server-api.ts'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { BoardColumn, type ColumnDrop } from './board-column.tsx'
import { CardClock } from '../cards/card-line.tsx'
import { CardMoves } from '../cards/card-moves.tsx'
import css from './board-columns.module.css'
import { ColumnTabs } from './column-tabs.tsx'
import { useDensity } from '../density.ts'
import { recentDays } from './recent-days.ts'
import type { Selection } from '../toolbar/selection.ts'
import { columnPlace, type CardDrag } from '../moves/use-card-drag.ts'
import type { BoardMoves } from '../moves/use-moves.ts'
import { useBoardGrid } from '../use-board-grid.tsx'
import { useHeldColumns } from './use-held-columns.ts'
import { useMoveAnnouncements } from './use-move-announcements.ts'
import { groupCards } from '@beadloom/core/board/board-groups.ts'
import type { Grouping } from '@beadloom/core/board/board-groups.ts'
import { useServerNow } from '../../../feed/feed-context.tsx'
import type { BoardCard, Lane } from '@beadloom/core/board/board-card.ts'
import { SharedHint } from '../../../ui/shared-hint.tsx'
import { useMedia } from '../../../ui/use-media.ts'

type Props = {
  project: string
  view: ProjectView | undefined
  slots: ServerStatus['slots'] | null
  lanes: Record<Lane, BoardCard[]>
  by: Grouping
  /** All beads of the project: an epic's title is the name of its column. */
  beads: ReadonlyMap<string, BeadCard>
  /** There is a filter, so all matches are shown, however long ago they were completed. */
  filtered: boolean
  /** The column that a narrow screen shows. */
  chosen: string
  onChoose: (column: string) => void
  selection: Selection
  bulk: boolean
  onSelect: (change: (old: Selection) => Selection) => void
  moves: BoardMoves
  drag: CardDrag
}

/** The columns, and the keyboard's way through them. */
export function BoardColumns(props: Props) {
  const { project, view, slots, lanes: all, by, beads, filtered, chosen, onChoose, selection, bulk, onSelect } = props
  const { moves, drag } = props
  const narrow = useMedia('(max-width: 700px)')
  const density = useDensity()
  const now = useServerNow()
  const [days, setDays] = useState(0)
  const [focus, setFocus] = useState<string | null>(null)
  const onOlder = useCallback(() => setDays((old) => old + 1), [])

  const { completed } = all
  const whole = filtered || by !== 'state'
  const recent = useMemo(
    () => (whole ? { shown: completed, older: null } : recentDays(completed, days)),
    [completed, whole, days],
  )
  const groups = useMemo(
    () => groupCards({ ...all, completed: [...recent.shown] }, by, beads),
    [all, recent, by, beads],
  )
  const { columns, onPointer } = useHeldColumns(groups, focus)
  const one = columns.find(({ key }) => key === chosen) ?? columns.find(({ cards }) => cards.length > 0) ?? columns[0]
  const visible = useMemo(() => (narrow ? (one ? [one] : []) : columns), [narrow, one, columns])
  const cards = useMemo(() => visible.map((column) => column.cards), [visible])
  const grid = useBoardGrid({ project, view, columns: cards, selection, bulk, onSelect, moves })
  const { wanted, kept } = grid
  useMoveAnnouncements(all)
  // Dropped cards appear in their new place at once, wherever the pointer is.
  const isHeld = drag.held !== null
  useEffect(() => onPointer(null), [isHeld, onPointer])
  const dropOf = (key: string): ColumnDrop => {
    const at = columnPlace(key)
    const offer = drag.offer(at)
    if (offer === null) return null
    return 'why' in offer ? 'refuses' : drag.held?.over === at ? 'over' : 'takes'
  }

  return (
    <>
      {narrow && (
        <ColumnTabs columns={columns} lanes={all} chosen={one?.key ?? ''} onChoose={onChoose} dropOf={dropOf} />
      )}
      <CardMoves key={by} columns={columns}>
        <SharedHint className={css['hints']}>
          <div
            className={css['columns']}
            data-columns
            onFocus={({ target }) => setFocus(target.closest<HTMLElement>('[data-bead]')?.dataset['bead'] ?? null)}
            onBlur={() => setFocus(null)}
          >
            <CardClock value={now}>
              {visible.map(({ key, lane, name, cards: mine }, column) => (
                <BoardColumn
                  key={key}
                  column={key}
                  lane={lane}
                  name={name}
                  cards={mine}
                  count={lane === null ? mine.length : all[lane].length}
                  older={lane === 'completed' ? recent.older : null}
                  onOlder={onOlder}
                  project={project}
                  view={view}
                  slots={lane === 'running' ? slots : null}
                  alone={narrow}
                  density={density}
                  acts={grid.acts}
                  busy={grid.busy}
                  tabStop={grid.tabStop}
                  chosen={selection.ids}
                  wanted={wanted?.column === column ? wanted.row : null}
                  kept={kept?.column === column ? kept.row : null}
                  onPointer={onPointer}
                  drop={dropOf(key)}
                />
              ))}
            </CardClock>
          </div>
        </SharedHint>
      </CardMoves>
      {grid.dialogs}
    </>
  )
}
