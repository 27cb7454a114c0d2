import { byText, isOver, unlockedBy, type BeadGraph } from './bead-graph.ts'

/**
 * The most edges followed for one graph: a tenth of a second. For the remaining beads, only direct ones are counted.
 */
const MOST_STEPS = 20_000_000

/**
 * For each bead, the number of beads that cannot end before it has ended, over any number of steps, cycles included.
 * Beads with the most direct ones are counted first, in case there are too many edges.
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
  // The round in which a bead was last reached, so that nothing has to be cleared between rounds.
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
