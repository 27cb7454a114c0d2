import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import { useRef } from 'react'
import css from './move-dialog.module.css'
import { moveRefusal, moveWord, offerOf, type Move, type Offer } from './moves.ts'
import { priorityWords } from '@beadloom/core/bead/priority-words.ts'
import type { BoardCard } from '@beadloom/core/board/board-card.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { counted } from '@beadloom/core/text/count-text.ts'
import { shown } from '../../../ui/text/hostile-text.ts'

const choices: readonly { keys: string; move: Move }[] = [
  { keys: 'r', move: { to: 'queue' } },
  { keys: 'o', move: { to: 'open' } },
  { keys: 'd', move: { to: 'done' } },
  ...priorityWords.map((_, priority) => ({ keys: String(priority), move: { to: 'priority' as const, priority } })),
]

type Props = {
  items: readonly BoardCard[]
  view: ProjectView | undefined
  onMove: (move: Move) => void
  onClose: () => void
}

/** Every place that a card can be dragged to, by key or by choice; places that refuse it say why. */
export function MoveDialog({ items, view, onMove, onClose }: Props) {
  const list = useRef<HTMLUListElement>(null)
  const [first] = items
  // The title already names a single card.
  const offer = (move: Move): Offer => {
    const why = items.length === 1 && first ? moveRefusal(move, first, view) : null
    return why === null ? offerOf(move, items, view) : { why }
  }
  const rows = choices.map((choice) => ({ ...choice, offer: offer(choice.move) }))
  const choose = (row: (typeof rows)[number] | undefined) => {
    if (row === undefined || 'why' in row.offer) return
    onClose()
    onMove(row.move)
  }
  const step = (by: number) => {
    const all = [...(list.current?.querySelectorAll('button') ?? [])]
    const at = all.findIndex((one) => one === document.activeElement)
    all[(at + by + all.length) % all.length]?.focus()
  }
  return (
    <Dialog
      title={items.length === 1 && first ? `Move ${first.card.id}` : `Move ${counted(items.length, 'bead')}`}
      onClose={onClose}
    >
      <ul
        ref={list}
        className={css['choices']}
        onKeyDown={(event) => {
          if (event.ctrlKey || event.metaKey || event.altKey) return
          const row = rows.find(({ keys }) => keys === event.key)
          if (event.key === 'ArrowDown' || event.key === 'ArrowUp') step(event.key === 'ArrowDown' ? 1 : -1)
          else if (row !== undefined) choose(row)
          else return
          event.preventDefault()
        }}
      >
        {rows.map((row, at) => {
          const { keys, move, offer } = row
          return (
            <li key={keys}>
              <button
                type="button"
                className={css['choice']}
                aria-disabled={'why' in offer || undefined}
                {...(at === 0 ? { 'data-first': true } : {})}
                onClick={() => choose(row)}
              >
                <span>{moveWord(move)}</span>
                <span className={css['why']}>{'why' in offer ? shown(offer.why) : ''}</span>
                <kbd>{keys}</kbd>
              </button>
            </li>
          )
        })}
      </ul>
    </Dialog>
  )
}
