import { byText, isOver, unlockedBy, waitedForBy, type BeadGraph } from './bead-graph.ts'

/** More are no picture. */
export const MOST_DRAWN = 300
/** So many of a large project are seen first: more is a tangle. */
export const MOST_AT_FIRST = 100
/** Steps from the bead in focus, in both directions. */
export const HOPS = 2

export type Chosen = {
  ids: string[]
  /** How many of the beads that belong here there was no room for. */
  left: number
}

type Wish = {
  /** Around this bead; null: the project's beads that have not ended and wait for something or hold something up. */
  focus: string | null
  /** Beads whose neighbours are drawn too. */
  opened: ReadonlySet<string>
  /** Ended beads are drawn, too; without it only the one in focus and those that were opened. */
  ended: boolean
  /** These are drawn in any case, as far as there is room: the longest chain, while it is marked. */
  first?: readonly string[] | undefined
  /** How many beads each holds up (`heldCounts`). */
  held: ReadonlyMap<string, number>
}

/**
 * The nearest first, then those that hold up the most; the same beads for the same graph and wish. What a bead waits for
 * holds up more than the bead itself: so of a project that is too large, the picture has the beginning and lacks the end.
 */
export function chooseBeads(graph: BeadGraph, wish: Wish, most = MOST_DRAWN): Chosen {
  const { focus, opened, ended } = wish
  const isWanted = (id: string): boolean => ended || id === focus || opened.has(id) || !isOver(graph, id)
  const start = focus === null ? frontier(graph, wish, most, isWanted) : [focus]
  const known = start.filter((id) => graph.beads.has(id))
  const chosen = new Set(known)
  let edge = known
  for (let hop = 0; focus !== null && hop < HOPS; hop++) edge = grow(graph, edge, chosen, isWanted)
  // In the order in which people opened them, and again while opened ones come in.
  for (const id of chosen) if (opened.has(id)) grow(graph, [id], chosen, isWanted)
  const ids = [...chosen].slice(0, most)
  return { ids, left: chosen.size - ids.length }
}

/** What waits or is waited for, with the longest shadow first. */
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

/** The beads on which most others wait, directly or not; those that could go on now are not told apart here. */
export const topHolders = (held: ReadonlyMap<string, number>, most: number): Holder[] =>
  [...held]
    .map(([id, count]) => ({ id, held: count }))
    .toSorted((a, b) => b.held - a.held || byText(a.id, b.id))
    .slice(0, most)
