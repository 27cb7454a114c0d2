import type { ListedBead, BeadDependency, BeadStatus } from '../records/bead.ts'
import { hiddenOnBoard, linked } from './ready.ts'

/** The bead that a follow-up was filed for, as long as both beads and their edge exist; else null. */
export function originOf(
  bead: ListedBead,
  target: (edge: BeadDependency) => ListedBead | undefined,
): ListedBead | null {
  const origin = bead.filedFor === undefined ? null : linked(bead, bead.filedFor, target)
  // A follow-up of a follow-up would be inside of a bead without a row: a follow-up lists its own failures.
  return origin === null || origin.filedFor !== undefined || hiddenOnBoard(origin) ? null : origin
}

/**
 * Whether a follow-up is listed and counted as a part of its bead, without a row of its own. Once that bead is done, a
 * follow-up that is left to do is a bead like any other.
 */
export const isInside = (
  followUp: { status: BeadStatus },
  origin: { status: BeadStatus } | null | undefined,
): boolean => origin !== null && origin !== undefined && (origin.status !== 'done' || followUp.status === 'done')
