import type { ProjectView, ServerStatus } from '@beadloom/core/api.ts'
import { useEffect, useMemo, useRef, useState } from 'react'
import { BoardColumn } from './board-column.tsx'
import { CardMoves } from './card-moves.tsx'
import css from './board-columns.module.css'
import { recentDays } from './recent-days.ts'
import type { Selection } from './selection.ts'
import { useBoardGrid } from './use-board-grid.tsx'
import { useHeldLanes } from './use-held-lanes.ts'
import { marks } from '../../components/bead/states.ts'
import tones from '../../components/bead/tones.module.css'
import { lanes } from '../../feed/lanes.ts'
import type { BoardCard, Lane } from '../../feed/lanes.ts'
import { announce } from '../../ui/announcer.tsx'
import { useMedia } from '../../ui/use-media.ts'

type Props = {
  project: string
  view: ProjectView | undefined
  slots: ServerStatus['slots'] | null
  lanes: Record<Lane, BoardCard[]>
  /** Beads are being looked for, so all of them are shown, however long ago they were completed. */
  filtered: boolean
  chosen: Lane
  onChoose: (lane: Lane) => void
  selection: Selection
  onSelect: (change: (old: Selection) => Selection) => void
}

/** The columns, and the keyboard's way through them. */
export function BoardColumns(props: Props) {
  const { project, view, slots, lanes: all, filtered, chosen, onChoose, selection, onSelect } = props
  const narrow = useMedia('(max-width: 700px)')
  const visible = useMemo(() => (narrow ? [chosen] : lanes), [narrow, chosen])
  const [days, setDays] = useState(0)
  const [focus, setFocus] = useState<string | null>(null)

  const recent = useMemo(
    () => (filtered ? { shown: all.completed, older: null } : recentDays(all.completed, days)),
    [all, filtered, days],
  )
  const recently = useMemo(() => ({ ...all, completed: [...recent.shown] }), [all, recent])
  const { lanes: cards, onPointer } = useHeldLanes(recently, focus)
  const columns = useMemo(() => visible.map((lane) => cards[lane]), [visible, cards])
  const grid = useBoardGrid({ project, view, columns, selection, onSelect })
  const { wanted, kept } = grid
  const placement = useMemo(() => placementOf(cards), [cards])
  useAnnouncements(placement)

  return (
    <>
      {narrow && (
        <nav className={css['tabs']} aria-label="States">
          {lanes.map((lane) => {
            const Icon = marks[lane].icon
            return (
              <button
                key={lane}
                type="button"
                aria-pressed={lane === chosen}
                onClick={() => onChoose(lane)}
                className={css['tab']}
              >
                <Icon
                  size={16}
                  strokeWidth={1.75}
                  aria-hidden
                  className={`${css['glyph']} ${tones[marks[lane].tone]}`}
                />
                <span className={lane === chosen ? undefined : 'visually-hidden'}>{marks[lane].word}</span>
                <span className={css['number']}>{all[lane].length}</span>
              </button>
            )
          })}
        </nav>
      )}
      <CardMoves placement={placement}>
        <div
          className={css['columns']}
          onFocus={({ target }) => setFocus(target.closest<HTMLElement>('[data-bead]')?.dataset['bead'] ?? null)}
          onBlur={() => setFocus(null)}
        >
          {visible.map((lane, column) => (
            <BoardColumn
              key={lane}
              lane={lane}
              cards={cards[lane]}
              count={all[lane].length}
              older={lane === 'completed' ? recent.older : null}
              onOlder={() => setDays(days + 1)}
              project={project}
              view={view}
              slots={slots}
              alone={narrow}
              grid={grid}
              chosen={selection.ids}
              wanted={wanted?.column === column ? wanted.row : null}
              kept={kept?.column === column ? kept.row : null}
              onPointer={onPointer}
            />
          ))}
        </div>
      </CardMoves>
      {grid.dialogs}
    </>
  )
}

function placementOf(all: Record<Lane, readonly BoardCard[]>): ReadonlyMap<string, Lane> {
  const map = new Map<string, Lane>()
  for (const lane of lanes) for (const { card } of all[lane]) map.set(card.id, lane)
  return map
}

const worthSaying: readonly Lane[] = ['failed', 'blocked', 'timeout', 'completed']

/** A move is said once ("bl-3 failed"); when many move at once only their number is. */
function useAnnouncements(placement: ReadonlyMap<string, Lane>): void {
  const before = useRef(placement)
  useEffect(() => {
    const moved: [string, Lane][] = []
    for (const [id, lane] of placement) {
      const old = before.current.get(id)
      if (old !== undefined && old !== lane && worthSaying.includes(lane)) moved.push([id, lane])
    }
    before.current = placement
    const [first] = moved
    if (first && moved.length === 1) announce(`${first[0]} ${marks[first[1]].word.toLowerCase()}`)
    else if (moved.length > 1) announce(`${moved.length} beads moved`)
  }, [placement])
}
