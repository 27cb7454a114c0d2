import { byText, heldUpBy, isOver, unlockedBy, waitedForBy, type BeadGraph } from './bead-graph.ts'

/** More are no picture. */
export const MOST_DRAWN = 300
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
}

/** The nearest first, then those that hold up the most; the same beads for the same graph and wish. */
export function chooseBeads(graph: BeadGraph, { focus, opened, ended }: Wish, most = MOST_DRAWN): Chosen {
  const isWanted = (id: string): boolean => ended || id === focus || opened.has(id) || !isOver(graph, id)
  const start = focus === null ? frontier(graph, isWanted) : [focus]
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
function frontier(graph: BeadGraph, isWanted: (id: string) => boolean): string[] {
  const linked = [...graph.beads.keys()].filter(
    (id) => isWanted(id) && neighbours(graph, id).some((other) => isWanted(other)),
  )
  if (linked.length <= MOST_DRAWN) return linked.toSorted(byText)
  const weight = new Map(linked.map((id) => [id, unlockedBy(graph, id).length]))
  return linked.toSorted((a, b) => (weight.get(b) ?? 0) - (weight.get(a) ?? 0) || byText(a, b))
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
export function topHolders(graph: BeadGraph, most: number): Holder[] {
  // Counting all that waits is dear, so only those with the most direct followers are counted.
  const candidates = [...graph.beads.keys()]
    .filter((id) => !isOver(graph, id) && unlockedBy(graph, id).some((next) => !isOver(graph, next)))
    .toSorted((a, b) => unlockedBy(graph, b).length - unlockedBy(graph, a).length || byText(a, b))
    .slice(0, MOST_DRAWN)
  return candidates
    .map((id) => ({ id, held: heldUpBy(graph, id).length }))
    .toSorted((a, b) => b.held - a.held || byText(a.id, b.id))
    .slice(0, most)
}
