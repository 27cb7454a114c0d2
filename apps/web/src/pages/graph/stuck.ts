import type { Lane } from '@beadloom/core/board/board-card.ts'

const stuck: ReadonlySet<Lane> = new Set(['failed', 'blocked', 'timeout'])

/** What such a bead holds up waits for a person. */
export const waitsForAPerson = (lane: Lane): boolean => stuck.has(lane)
