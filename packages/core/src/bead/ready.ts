import type { ListedBead, BeadDependency } from '../records/bead.ts'
import type { BeadId } from '../records/ids.ts'
import { END_OF_TIME, sortByTurn } from './sort-by-turn.ts'
import type { Turn } from './sort-by-turn.ts'
import { hasEnded, indexWaiting } from './waiting.ts'
import type { Waiting } from './waiting.ts'

/** Types that `bd ready` never lists: messages, gates and other internals of the tracker. */
const notWork: ReadonlySet<string> = new Set(['merge-request', 'gate', 'molecule', 'message', 'agent', 'role', 'rig'])

/** Open both in the tracker and here. A bead with a live or failed execution is not open here. */
export const isOpen = (bead: ListedBead): boolean => bead.status === 'open' && bead.trackerStatus === 'open'

/** Whether the bead is of a type and kind that somebody can work on. */
export const isWork = (bead: ListedBead): boolean =>
  !bead.pinned && bead.trackerStatus !== 'pinned' && !hiddenOnBoard(bead) && !notWork.has(bead.type)

/**
 * Whether the board leaves a bead out: wisps (by their flag or by the id that `bd` gives them, as real files leak
 * them), templates, and tombstones of deleted beads.
 */
export const hiddenOnBoard = (bead: ListedBead): boolean =>
  bead.ephemeral || bead.template || bead.trackerStatus === 'tombstone' || bead.id.includes('-wisp-')

/** The time until which a bead is deferred, by its own date or a direct parent's; null if it is not. */
export function deferredUntil(bead: ListedBead, waiting: Waiting, now: number): number | null {
  let until = bead.deferUntil !== null && bead.deferUntil > now ? bead.deferUntil : null
  for (const edge of bead.dependencies) {
    if (edge.type !== 'parent-child') continue
    const parent = waiting.target(edge)?.deferUntil ?? null
    if (parent !== null && parent > now && parent > (until ?? 0)) until = parent
  }
  return until
}

/** `at` is the bead's position in the list from which `waiting` was made. */
export const isReady = (bead: ListedBead, at: number, waiting: Waiting, now: number): boolean =>
  isOpen(bead) &&
  !waiting.isBlocked(at) &&
  isWork(bead) &&
  deferredUntil(bead, waiting, now) === null &&
  remindedOf(bead, waiting.target) === null

/**
 * For a reminder: the bead in question, where the work is done. Null for work of its own, and once that bead is gone.
 */
export function remindedOf(
  bead: ListedBead,
  target: (edge: BeadDependency) => ListedBead | undefined,
): ListedBead | null {
  if (bead.reminds === undefined || bead.status === 'done') return null
  return linked(bead, bead.reminds, target)
}

/** Null if somebody has removed the edge between the two in the tracker, and once the other bead is gone. */
export function linked(
  bead: ListedBead,
  other: BeadId,
  target: (edge: BeadDependency) => ListedBead | undefined,
): ListedBead | null {
  const edge = bead.dependencies.find(({ dependsOn }) => dependsOn === other)
  const origin = edge && target(edge)
  return origin === undefined || origin.trackerStatus === 'tombstone' ? null : origin
}

/**
 * The ready beads of one project in the order of `bd ready`: priority, then newest, then id. (Since 1.3 that has the oldest
 * first, as Beadloom starts them.)
 *
 * A bead is ready when it is open, work, not deferred (nor its parent), and not blocked: by a `blocks` or
 * `conditional-blocks` edge to a bead that has not ended or is unknown, by children it fans in from, by a missing
 * capability of another project, or by a blocked parent. A reminder is never ready. A parent that is merely open or in
 * progress, or does not exist, blocks nothing.
 *
 * @param now milliseconds UTC
 */
export function readySet(beads: readonly ListedBead[], now: number): ListedBead[] {
  const waiting = indexWaiting(beads)
  const ready = beads.filter((bead, at) => isReady(bead, at, waiting, now))
  return sortByTurn(ready, asTrackerSorts)
}

const asTrackerSorts: Turn<ListedBead> = {
  priority: (bead) => bead.priority,
  time: (bead) => END_OF_TIME - 1 - bead.createdAt,
  tie: (a, b) => compareText(a.id, b.id),
}

/** By code unit: fast, and the same on every machine, unlike `localeCompare`. */
export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Why a bead that has not ended is not open, for people; null if it is open. */
export function whyNotOpen(bead: ListedBead): string | null {
  if (bead.status === 'in_progress') return bead.trackerStatus === 'hooked' ? 'hooked to an agent' : 'in progress'
  if (bead.status === 'timeout') return 'timed out'
  if (bead.trackerStatus !== 'open') return trackerSays(bead)
  return bead.status === 'blocked' ? 'marked blocked' : null
}

function trackerSays(bead: ListedBead): string {
  if (bead.trackerStatus === 'closed') return 'reopened: updating the tracker'
  if (hasEnded(bead)) return `"${bead.trackerStatus}" in the tracker: reopen it there`
  return `"${bead.trackerStatus}" in the tracker, not open`
}
