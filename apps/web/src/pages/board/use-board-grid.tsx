import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import { useNavigate } from '@tanstack/react-router'
import { Suspense, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { lazyPart } from '../../ui/lazy-part.ts'
import type { GridStep } from './grid-move.ts'
import type { ShownCard } from './columns/held-columns.ts'
import { MoveDialog, movesByKey } from './moves/move-keys.ts'
import type { BoardMoves } from './moves/use-moves.ts'
import { extendTo, toggle } from './toolbar/selection.ts'
import type { Selection } from './toolbar/selection.ts'
import { useGridPlace, type GridPlace } from './use-grid-place.ts'
import { usePreload } from './use-preload.ts'
import { useBeadCommands, type BeadCommands } from '../../components/bead/bead-commands.tsx'
import { actingOf } from '@beadloom/core/board/board-card.ts'
import { announce } from '../../ui/announcer.tsx'
import { useKeys } from '../../ui/keys/keys.ts'
import type { KeyBinding } from '../../ui/keys/keys.ts'
import { toast, toastError } from '../../ui/toast.tsx'

const { Part: BeadPeek } = lazyPart(async () => (await import('./cards/bead-peek.tsx')).BeadPeek)

/** Actions of a card; the same object for the board's lifetime, so that cards do not render again. */
export type CardActs = {
  run(item: ShownCard): void
  cancel(item: ShownCard): void
  choose(id: string, how: 'toggle' | 'extend'): void
  active(id: string): void
  open(id: string): void
  /** Somebody may open it soon, or opens it now. */
  preload(id: string, when: 'soon' | 'now'): void
  /** The card has the focus that the keyboard asked for. */
  focused(): void
}

export type BoardGrid = {
  acts: CardActs
  /** The card that Tab goes to. */
  tabStop: string | null
  /** The place to which the keyboard moves the focus. */
  wanted: GridPlace | null
  /** The place of the current card. */
  kept: GridPlace | null
  busy(bead: string): boolean
  dialogs: ReactNode
}

type Props = {
  project: string
  view: ProjectView | undefined
  /** The cards as shown: columns from left to right; a list has one. */
  columns: readonly (readonly ShownCard[])[]
  selection: Selection
  /** Selected beads are visible: their bar has the keys that act on all of them. */
  bulk: boolean
  onSelect: (change: (old: Selection) => Selection) => void
  moves: BoardMoves
}

/** Keyboard movement through cards, in columns or in a list, and actions for the current one. */
export function useBoardGrid({ project, view, columns, selection, bulk, onSelect, moves }: Props): BoardGrid {
  const navigate = useNavigate()
  const commands = useBeadCommands(project, view)
  const [peeked, setPeeked] = useState<string | null>(null)
  const [moving, setMoving] = useState<ShownCard | null>(null)

  const { at, current, wanted, step, setActive, focused } = useGridPlace(project, columns)
  const choose = (id: string, how: 'toggle' | 'extend') => {
    const order = columns.flatMap((cards) => cards.map(({ card }) => card.id))
    onSelect((old) => {
      const next = how === 'toggle' ? toggle(old, id) : extendTo(old, order, id)
      announce(`${next.ids.size} selected`)
      return next
    })
  }
  const extend = (direction: GridStep) => {
    if (current && (selection.anchor === null || selection.ids.size === 0)) choose(current.card.id, 'toggle')
    const target = step(direction)
    if (target) choose(target.card.id, 'extend')
  }
  const open = (id: string) => void navigate({ to: '/p/$project/b/$bead', params: { project, bead: id } })
  const copyId = () => {
    if (current === null) return
    const { id } = current.card
    void navigator.clipboard.writeText(id).then(() => toast(`${id} copied`), toastError)
  }

  const ofOne: KeyBinding[] = [
    { keys: ['r'], does: 'Run the bead', run: () => current && commands.run(current.card, current.execution) },
    { keys: ['c'], does: 'Cancel the bead', run: () => current && cancelIn(commands, current) },
    { keys: ['y i'], does: 'Copy the id', run: copyId },
    ...movesByKey((move) => current && moves.move(move, [current]), 'the bead'),
    { keys: ['m'], does: 'Choose where to move the bead', run: () => current && setMoving(current) },
  ]
  useKeys('Board', [
    { keys: ['ArrowDown', 'j'], does: 'Next card', run: () => void step('down') },
    { keys: ['ArrowUp', 'k'], does: 'Previous card', run: () => void step('up') },
    { keys: ['ArrowLeft', 'h'], does: 'Column to the left', run: () => void step('left') },
    { keys: ['ArrowRight', 'l'], does: 'Column to the right', run: () => void step('right') },
    { keys: ['Enter', 'o'], does: 'Open the bead', run: () => current && open(current.card.id) },
    { keys: [' '], does: 'Preview the bead', run: () => current && setPeeked(current.card.id) },
    { keys: ['x'], does: 'Select the bead', run: () => current && choose(current.card.id, 'toggle') },
    { keys: ['J'], does: 'Select downwards', run: () => extend('down') },
    { keys: ['K'], does: 'Select upwards', run: () => extend('up') },
    ...(bulk ? [] : ofOne),
  ])

  const preload = usePreload(project)

  const latest = useRef({ commands, choose, open })
  useLayoutEffect(() => {
    latest.current = { commands, choose, open }
  })
  const acts = useMemo<CardActs>(
    () => ({
      run: ({ card, execution }) => latest.current.commands.run(card, execution),
      cancel: (item) => cancelIn(latest.current.commands, item),
      choose: (id, how) => latest.current.choose(id, how),
      active: setActive,
      open: (id) => latest.current.open(id),
      preload,
      focused,
    }),
    [focused, preload, setActive],
  )

  const tabStop = current?.card.id ?? columns.find((cards) => cards.length > 0)?.[0]?.card.id ?? null
  return {
    acts,
    tabStop,
    wanted,
    kept: at,
    busy: commands.busy,
    dialogs: (
      <>
        {commands.dialog}
        {moving !== null && (
          <Suspense fallback={null}>
            <MoveDialog
              items={[moving]}
              view={view}
              onMove={(move) => moves.move(move, [moving])}
              onClose={() => setMoving(null)}
            />
          </Suspense>
        )}
        {peeked !== null && (
          <Suspense fallback={null}>
            <BeadPeek project={project} bead={peeked} onClose={() => setPeeked(null)} />
          </Suspense>
        )}
      </>
    ),
  }
}

function cancelIn(commands: BeadCommands, item: ShownCard): void {
  const { card, execution } = actingOf(item)
  commands.cancel(card, execution)
}
