import type { BeadGraph } from '@beadloom/core/graph/bead-graph.ts'
import type { Placed } from '@beadloom/core/graph/place-beads.ts'

/** The target of an arrow key: sideways along an edge, to the nearest; up and down to the nearest box in the column. */
export function stepFrom({ at }: Placed, graph: BeadGraph, id: string, key: string): string | null {
  const here = at.get(id)
  if (here === undefined) return null
  const isSideways = key === 'ArrowLeft' || key === 'ArrowRight'
  const others = isSideways ? ((key === 'ArrowLeft' ? graph.waitsFor : graph.unlocks).get(id) ?? []) : at.keys()
  let best: string | null = null
  let least = Infinity
  for (const other of others) {
    const there = at.get(other)
    if (there === undefined || other === id) continue
    const down = there.y - here.y
    if (!isSideways && (there.x !== here.x || (key === 'ArrowDown' ? down <= 0 : down >= 0))) continue
    const far = Math.abs(down) + Math.abs(there.x - here.x) / 1_000
    if (far < least) [best, least] = [other, far]
  }
  return best
}
