import type { BoardCard } from '@beadloom/core/board/board-card.ts'

/** At least so many are shown, so that a quiet week does not leave the column empty. */
export const AT_LEAST = 20

export type RecentDays<T> = {
  shown: readonly T[]
  /** The day below what is shown; null when all of it is. */ older: Day | null
}
export type Day = { start: number; count: number }

const endOf = ({ card, execution }: BoardCard): number => execution?.endedAt ?? card.updatedAt

/** Of cards with the newest first: whole days from the newest on, until there are enough, and so many days more. */
export function recentDays<T extends BoardCard>(cards: readonly T[], more: number): RecentDays<T> {
  let at = 0
  for (let days = 0; at < cards.length && (at < AT_LEAST || days < more);) {
    if (at >= AT_LEAST) days++
    at = endOfDay(cards, at).next
  }
  if (at >= cards.length) return { shown: cards, older: null }
  const { start, next } = endOfDay(cards, at)
  return { shown: cards.slice(0, at), older: { start, count: next - at } }
}

/** When the day of the card at this index begins, and the index of the first card of another day. */
function endOfDay(cards: readonly BoardCard[], at: number): { start: number; next: number } {
  const first = cards[at]
  if (first === undefined) return { start: 0, next: at }
  const day = new Date(endOf(first))
  const start = day.setHours(0, 0, 0, 0)
  let next = at + 1
  for (let card = cards[next]; card !== undefined && endOf(card) >= start; card = cards[++next]);
  return { start, next }
}
