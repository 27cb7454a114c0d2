import { byText, isOver, unlockedBy, type BeadGraph } from './bead-graph.ts'

/** Edges that are followed for one graph: a tenth of a second. Beads whose turn does not come are counted by their direct ones. */
const MOST_STEPS = 20_000_000

/**
 * For each bead that holds something up how many beads that have not ended cannot before it has, over any number of
 * steps, cycles included. Those with the most direct ones are counted first, in case there are too many.
 */
export function heldCounts(graph: BeadGraph): ReadonlyMap<string, number> {
  const ids: string[] = []
  const place = new Map<string, number>()
  for (const id of graph.beads.keys())
    if (!isOver(graph, id)) {
      place.set(id, ids.length)
      ids.push(id)
    }
  const next = ids.map((id) => unlockedBy(graph, id).flatMap((other) => place.get(other) ?? []))
  const holders = [...ids.keys()]
    .filter((at) => (next[at]?.length ?? 0) > 0)
    .toSorted((a, b) => (next[b]?.length ?? 0) - (next[a]?.length ?? 0) || byText(ids[a] ?? '', ids[b] ?? ''))
  const counts = new Map<string, number>()
  // In which round a bead was reached last; so nothing has to be cleared between two rounds.
  const seen = new Uint32Array(ids.length)
  const way = new Uint32Array(ids.length)
  let steps = 0
  for (const [round, start] of holders.entries()) {
    const id = ids[start] ?? ''
    if (steps > MOST_STEPS) {
      counts.set(id, next[start]?.length ?? 0)
      continue
    }
    let end = 1
    way[0] = start
    seen[start] = round + 1
    for (let at = 0; at < end; at++)
      for (const other of next[way[at] ?? 0] ?? []) {
        steps++
        if (seen[other] === round + 1) continue
        seen[other] = round + 1
        way[end++] = other
      }
    counts.set(id, end - 1)
  }
  return counts
}
