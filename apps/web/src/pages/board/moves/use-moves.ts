import type { BeadCard } from '@beadloom/core/api/beads/bead-api.ts'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { makeMove, undoMove } from './make-move.ts'
import { doneWord, moveRefusal, type Move } from './moves.ts'
import { askedMove, nothingPending, pendingOf, refusalOfMove } from './pending-moves.ts'
import type { AskedMove, PendingMove, PendingMoves } from './pending-moves.ts'
import { bulkText, inBulk, type BulkResult } from '../toolbar/bulk.ts'
import type { BoardCard } from '@beadloom/core/board/board-card.ts'
import { shown } from '../../../ui/text/hostile-text.ts'
import { toast, toastError } from '../../../ui/toast.tsx'

/** After an answer, the feed soon says the same; a board that shows something else after this time is right. */
const SETTLED_MS = 3_000
/** Nobody reads more reasons in a notice. */
const MOST_REASONS = 3

export type BoardMoves = {
  /** Requested moves that are not in the feed yet. */
  pending: PendingMoves
  /** Moves all cards that can be moved, and reports the result. */
  move(move: Move, items: readonly BoardCard[]): void
}

/** Moves cards: shown at once, and undone with a reason if the server refuses, or later the tracker. */
export function useMoves(
  project: string,
  view: ProjectView | undefined,
  beads: ReadonlyMap<string, BeadCard> | undefined,
): BoardMoves {
  const [pending, setPending] = useState(nothingPending)
  const latest = useRef(view)
  useLayoutEffect(() => {
    latest.current = view
  })
  const asked = useRef(new Map<string, AskedMove>())
  useEffect(() => {
    if (beads === undefined) return
    for (const [id, one] of asked.current) {
      const card = beads.get(id)
      const why = card === undefined ? null : refusalOfMove(one.move, card)
      if (why === one.seen) continue
      if (why === null) asked.current.set(id, { ...one, seen: null }) // gone: the next one is about this move
      else {
        asked.current.delete(id)
        setPending((old) => withoutBead(old, id))
        toast(`${id} was moved back: ${shown(why)}`, { kind: 'error' })
      }
    }
  }, [beads])
  const move = useCallback(
    async (wish: Move, items: readonly BoardCard[]) => {
      const refusal = (item: BoardCard) => moveRefusal(wish, item, latest.current)
      const mine = new Map(
        items.filter((item) => refusal(item) === null).map((item) => [item.card.id, pendingOf(item, wish)]),
      )
      setPending((old) => added(old, mine))
      for (const { card } of items) {
        const one = mine.has(card.id) ? askedMove(wish, card) : null
        if (one === null) asked.current.delete(card.id)
        else asked.current.set(card.id, one)
      }
      const drop = (ids: readonly string[]) => setPending((old) => without(old, ids, mine))
      const result = await inBulk(items, refusal, (item) =>
        makeMove(project, wish, item).catch((error: unknown) => {
          drop([item.card.id])
          asked.current.delete(item.card.id)
          throw error
        }),
      )
      setTimeout(() => drop([...mine.keys()]), SETTLED_MS)
      tell(project, wish, items, result)
    },
    [project],
  )
  return useMemo(() => ({ pending, move: (wish, items) => void move(wish, items) }), [pending, move])
}

/** A bead moved twice is compared with its state before the first move. */
function added(old: PendingMoves, mine: Map<string, PendingMove>): PendingMoves {
  const next = new Map(old)
  for (const [id, one] of mine) {
    const before = old.get(id)
    if (before?.move.to === one.move.to) one.was = before.was
    next.set(id, one)
  }
  return next
}

function withoutBead(old: PendingMoves, id: string): PendingMoves {
  const next = new Map(old)
  next.delete(id)
  return next.size === 0 ? nothingPending : next
}

/** Removes only entries that still belong to the same move. */
function without(old: PendingMoves, ids: readonly string[], mine: PendingMoves): PendingMoves {
  const next = new Map(old)
  for (const id of ids) if (old.get(id) === mine.get(id)) next.delete(id)
  return next.size === 0 ? nothingPending : next
}

function tell(project: string, move: Move, items: readonly BoardCard[], { done, refused }: BulkResult): void {
  const [first] = done
  if (first !== undefined) {
    const backs = items
      .filter(({ card }) => done.includes(card.id))
      .flatMap((item) => undoMove(project, move, item) ?? [])
    const undo = { label: 'Undo', run: () => void Promise.all(backs.map((back) => back())).catch(toastError) }
    const text = items.length === 1 ? `${first} ${doneWord(move)}` : bulkText({ done, refused }, doneWord(move))
    toast(text, backs.length === done.length ? { action: undo } : {})
  }
  if (refused.length === 0) return
  const reasons = refused
    .slice(0, MOST_REASONS)
    .map(({ bead, why }) => `${bead} stays as it is: ${shown(why).replace(/\.$/, '')}`)
  const more = refused.length - reasons.length
  toast(`${reasons.join('. ')}${more > 0 ? `, and ${more} more` : ''}`, { kind: 'error' })
}
