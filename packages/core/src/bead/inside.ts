import type { ListedBead, BeadDependency, BeadStatus } from './bead.ts'
import { hiddenOnBoard, linked } from './ready.ts'

/** The bead that a follow-up was filed for, as long as both are there and their edge is; else null. */
export function originOf(
  bead: ListedBead,
  target: (edge: BeadDependency) => ListedBead | undefined,
): ListedBead | null {
  const origin = bead.filedFor === undefined ? null : linked(bead, bead.filedFor, target)
  // One of a follow-up would be inside of what has no row: the failures of a follow-up are listed in itself.
  return origin === null || origin.filedFor !== undefined || hiddenOnBoard(origin) ? null : origin
}

/**
 * Whether a follow-up is a part of its bead wherever beads are listed and counted, and no row of its own. What is left to
 * do once that one is done is a bead like any other.
 */
export const isInside = (
  followUp: { status: BeadStatus },
  origin: { status: BeadStatus } | null | undefined,
): boolean => origin !== null && origin !== undefined && (origin.status !== 'done' || followUp.status === 'done')
