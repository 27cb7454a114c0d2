import type { ListedBead } from '../records/bead.ts'
import { hasEnded, waitingTypes } from './waiting.ts'

type WaitingBead = Pick<ListedBead, 'id' | 'status' | 'trackerStatus' | 'dependencies'>

/**
 * The shortest path on which one bead waits for another, both included (`['a', 'b', 'c']`: a waits for b, and b for c);
 * null: none. An ended bead waits for nothing.
 */
export function waitingPath(beads: readonly WaitingBead[], from: string, to: string): string[] | null {
  const byId = new Map<string, WaitingBead>(beads.map((bead) => [bead.id, bead]))
  const cameFrom = new Map<string, string | null>([[from, null]])
  for (const at of cameFrom.keys()) {
    if (at === to) return wayTo(at, cameFrom)
    const bead = byId.get(at)
    if (bead === undefined || hasEnded(bead)) continue
    for (const { dependsOn, type } of bead.dependencies)
      if (waitingTypes.has(type) && !cameFrom.has(dependsOn)) cameFrom.set(dependsOn, at)
  }
  return null
}

function wayTo(end: string, cameFrom: ReadonlyMap<string, string | null>): string[] {
  const way: string[] = []
  for (let at: string | null | undefined = end; at; at = cameFrom.get(at)) way.push(at)
  return way.reverse()
}
