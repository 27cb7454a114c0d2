import type { ProjectView, ServerStatus } from '@beadloom/core/api.ts'
import { useNavigate } from '@tanstack/react-router'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { BoardColumn } from './board-column.tsx'
import { CardMoves } from './card-moves.tsx'
import { moveInGrid } from './grid-move.ts'
import type { GridStep } from './grid-move.ts'
import css from './board-columns.module.css'
import { lastCard } from './last-card.ts'
import { useBeadCommands } from '../../components/bead/bead-commands.tsx'
import { marks } from '../../components/bead/states.ts'
import tones from '../../components/bead/tones.module.css'
import { lanes } from '../../feed/lanes.ts'
import type { BoardCard, Lane } from '../../feed/lanes.ts'
import { announce } from '../../ui/announcer.tsx'
import { useKeys } from '../../ui/keys.ts'
import { useMedia } from '../../ui/use-media.ts'

type Props = {
  project: string
  view: ProjectView | undefined
  slots: ServerStatus['slots'] | null
  lanes: Record<Lane, BoardCard[]>
  chosen: Lane
  onChoose: (lane: Lane) => void
}

/** The columns, and the keyboard's way through them. */
export function BoardColumns({ project, view, slots, lanes: cards, chosen, onChoose }: Props) {
  const narrow = useMedia('(max-width: 700px)')
  const navigate = useNavigate()
  const commands = useBeadCommands(project, view)
  const visible = useMemo(() => (narrow ? [chosen] : lanes), [narrow, chosen])
  const [active, setActive] = useState(() => lastCard(project))
  /** The card that the keyboard asked for, until it has the focus. */
  const [wanted, setWanted] = useState(active)

  const at = useMemo(() => find(cards, visible, active), [cards, visible, active])
  const current = at === null ? null : (cards[at.lane][at.index] ?? null)

  const step = (direction: GridStep) => {
    const next = moveInGrid(
      visible.map((lane) => cards[lane].length),
      at === null ? null : { column: visible.indexOf(at.lane), row: at.index },
      direction,
    )
    const lane = next === null ? undefined : visible[next.column]
    const target = lane === undefined || next === null ? undefined : cards[lane][next.row]
    if (!target) return
    setActive(target.card.id)
    setWanted(target.card.id)
  }
  const open = (id: string) => void navigate({ to: '/p/$project/b/$bead', params: { project, bead: id } })
  useKeys('Board', [
    { keys: ['ArrowDown', 'j'], does: 'Next card', run: () => step('down') },
    { keys: ['ArrowUp', 'k'], does: 'Previous card', run: () => step('up') },
    { keys: ['ArrowLeft', 'h'], does: 'Column to the left', run: () => step('left') },
    { keys: ['ArrowRight', 'l'], does: 'Column to the right', run: () => step('right') },
    { keys: ['Enter', 'o'], does: 'Open the bead', run: () => current && open(current.card.id) },
    { keys: ['r'], does: 'Run the bead', run: () => current && commands.run(current.card, current.execution) },
    { keys: ['c'], does: 'Cancel the bead', run: () => current && commands.cancel(current.card, current.execution) },
  ])

  const placement = useMemo(() => {
    const map = new Map<string, Lane>()
    for (const lane of lanes) for (const { card } of cards[lane]) map.set(card.id, lane)
    return map
  }, [cards])
  useAnnouncements(placement)

  const tabStop =
    current?.card.id ?? visible.map((lane) => cards[lane][0]).find((card) => card !== undefined)?.card.id ?? null
  const onFocused = useCallback(() => setWanted(null), [])

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
                <span className={css['number']}>{cards[lane].length}</span>
              </button>
            )
          })}
        </nav>
      )}
      <CardMoves placement={placement}>
        <div className={css['columns']}>
          {visible.map((lane) => (
            <BoardColumn
              key={lane}
              lane={lane}
              cards={cards[lane]}
              project={project}
              view={view}
              slots={slots}
              alone={narrow}
              commands={commands}
              tabStop={tabStop}
              wanted={wanted !== null && wanted === active && at?.lane === lane ? at.index : null}
              onFocused={onFocused}
              onActive={setActive}
            />
          ))}
        </div>
      </CardMoves>
      {commands.dialog}
    </>
  )
}

function find(
  cards: Record<Lane, BoardCard[]>,
  visible: readonly Lane[],
  id: string | null,
): { lane: Lane; index: number } | null {
  if (id === null) return null
  for (const lane of visible) {
    const index = cards[lane].findIndex(({ card }) => card.id === id)
    if (index >= 0) return { lane, index }
  }
  return null
}

const worthSaying: readonly Lane[] = ['failed', 'blocked', 'timeout', 'completed']

/** A move is said once ("bl-3 failed"); when many move at once only their number is. */
function useAnnouncements(placement: ReadonlyMap<string, Lane>): void {
  const before = useRef(placement)
  useEffect(() => {
    const moved = [...placement].filter(([id, lane]) => {
      const old = before.current.get(id)
      return old !== undefined && old !== lane && worthSaying.includes(lane)
    })
    before.current = placement
    const [first] = moved
    if (first && moved.length === 1) announce(`${first[0]} ${marks[first[1]].word.toLowerCase()}`)
    else if (moved.length > 1) announce(`${moved.length} beads moved`)
  }, [placement])
}
