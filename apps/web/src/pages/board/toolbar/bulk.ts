import type { BoardCard } from '@beadloom/core/board/board-card.ts'

/** The result of doing one thing to several beads. */
export type BulkResult = { done: string[]; refused: { bead: string; why: string }[] }

/** Asks for each bead in turn, so that a queue gets them in their order on the board. If one is refused, the others continue. */
export async function inBulk(
  cards: readonly BoardCard[],
  refusal: (card: BoardCard) => string | null,
  act: (card: BoardCard) => Promise<unknown>,
): Promise<BulkResult> {
  const result: BulkResult = { done: [], refused: [] }
  for (const item of cards) {
    const bead = item.card.id
    const why = refusal(item) ?? (await act(item).then(() => null, sentenceOf))
    if (why === null) result.done.push(bead)
    else result.refused.push({ bead, why })
  }
  return result
}

const sentenceOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** "3 queued", "3 queued, 2 refused", "None queued, 2 refused". */
export function bulkText({ done, refused }: BulkResult, word: string): string {
  if (refused.length === 0) return `${done.length} ${word}`
  return done.length === 0
    ? `None ${word}, ${refused.length} refused`
    : `${done.length} ${word}, ${refused.length} refused`
}
