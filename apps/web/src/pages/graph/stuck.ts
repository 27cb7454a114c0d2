import type { Lane } from '@beadloom/core/board/board-card.ts'

const stuck: ReadonlySet<Lane> = new Set(['failed', 'blocked', 'timeout'])

/** Whether the beads that this one holds up wait for a person. */
export const waitsForAPerson = (lane: Lane): boolean => stuck.has(lane)
