import { byText, isOver, unlockedBy, waitedForBy, type BeadGraph } from './bead-graph.ts'

/** More beads are no longer a picture. */
export const MOST_DRAWN = 300
/** The first view of a large project shows this many: more is a tangle. */
export const MOST_AT_FIRST = 100
/** Steps from the bead in focus, in both directions. */
export const HOPS = 2

export type Chosen = {
  ids: string[]
  /** The number of beads that belong here but had no room. */
  left: number
}

type Wish = {
  /**
   * The bead in the middle; null: all beads of the project that have not ended and wait for something or hold something
   * up.
   */
  focus: string | null
  /** Beads whose neighbours are drawn too. */
  opened: ReadonlySet<string>
  /** Draws all ended beads; else only the one in focus and those that were opened. */
  ended: boolean
  /** Always drawn, as far as there is room: the longest chain, while it is marked. */
  first?: readonly string[] | undefined
  /** The number of beads that each holds up (`heldCounts`). */
  held: ReadonlyMap<string, number>
}

/**
 * The beads to draw: the nearest first, then those that hold up the most; the same for the same graph and wish. A
 * bead's blockers hold up more beads than the bead itself: so the picture of a project that is too large shows the
 * beginning and not the end.
 */
export function chooseBeads(graph: BeadGraph, wish: Wish, most = MOST_DRAWN): Chosen {
  const { focus, opened, ended } = wish
  const isWanted = (id: string): boolean => ended || id === focus || opened.has(id) || !isOver(graph, id)
  const start = focus === null ? frontier(graph, wish, most, isWanted) : [focus]
  const known = start.filter((id) => graph.beads.has(id))
  const chosen = new Set(known)
  let edge = known
  for (let hop = 0; focus !== null && hop < HOPS; hop++) edge = grow(graph, edge, chosen, isWanted)
  // Follows the order in which people opened them, and includes opened beads that are added on the way.
  for (const id of chosen) if (opened.has(id)) grow(graph, [id], chosen, isWanted)
  const ids = [...chosen].slice(0, most)
  return { ids, left: chosen.size - ids.length }
}

/** The beads that wait or hold others up; those that hold up the most first. */
function frontier(
  graph: BeadGraph,
  { first = [], held }: Wish,
  most: number,
  isWanted: (id: string) => boolean,
): string[] {
  const linked = [...graph.beads.keys()].filter(
    (id) => isWanted(id) && neighbours(graph, id).some((other) => isWanted(other)),
  )
  if (linked.length <= most) return linked.toSorted(byText)
  const byShadow = linked.toSorted((a, b) => (held.get(b) ?? 0) - (held.get(a) ?? 0) || byText(a, b))
  return [...new Set([...first.filter(isWanted), ...byShadow])]
}

function grow(
  graph: BeadGraph,
  from: readonly string[],
  chosen: Set<string>,
  isWanted: (id: string) => boolean,
): string[] {
  const found: string[] = []
  for (const id of from)
    for (const next of neighbours(graph, id).toSorted(byText)) {
      if (chosen.has(next) || !isWanted(next)) continue
      chosen.add(next)
      found.push(next)
    }
  return found
}

export const neighbours = (graph: BeadGraph, id: string): string[] => [
  ...waitedForBy(graph, id),
  ...unlockedBy(graph, id),
]

export type Holder = { id: string; held: number }

/** The beads that most others wait for, directly or not, whether or not those others could start now. */
export const topHolders = (held: ReadonlyMap<string, number>, most: number): Holder[] =>
  [...held]
    .map(([id, count]) => ({ id, held: count }))
    .toSorted((a, b) => b.held - a.held || byText(a.id, b.id))
    .slice(0, most)
