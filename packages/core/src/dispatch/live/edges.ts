import type { ListedBead, BeadDependency } from '../../bead/bead.ts'
import { hasEnded, isClosed } from '../../bead/waiting.ts'

/** Beads by the id of the one that their edges point to, whether that exists or not. */
export type Edges = Map<string, Set<number>>
/** Children of a bead; `open` and `closed` count those that have not ended, and those that are done. */
export type Kids = { all: Set<number>; open: number; closed: number }

export const isOpen = (bead: ListedBead | undefined): boolean => bead !== undefined && !hasEnded(bead)

export const isBlocking = ({ type }: BeadDependency): boolean => type === 'blocks' || type === 'conditional-blocks'

export const parentIds = (bead: ListedBead | undefined): string[] =>
  bead === undefined || bead.dependencies.length === 0
    ? []
    : bead.dependencies.filter(({ type }) => type === 'parent-child').map(({ dependsOn }) => dependsOn)

export function count(kids: Kids, kid: ListedBead | undefined, change: number): void {
  if (kid === undefined) return
  if (!hasEnded(kid)) kids.open += change
  if (isClosed(kid)) kids.closed += change
}

export function sameEdges(a: ListedBead | undefined, b: ListedBead | undefined): boolean {
  if (a === undefined || b === undefined) return a === b
  const [one, other] = [a.dependencies, b.dependencies]
  return (
    a.reminds === b.reminds &&
    one.length === other.length &&
    one.every((edge, at) => {
      const its = other[at]
      return edge.dependsOn === its?.dependsOn && edge.type === its.type && edge.metadata === its.metadata
    })
  )
}

export function add(edges: Edges, id: string, at: number): void {
  const known = edges.get(id)
  if (known === undefined) edges.set(id, new Set([at]))
  else known.add(at)
}

export function drop(edges: Edges, id: string, at: number): void {
  const known = edges.get(id)
  if (known?.delete(at) && known.size === 0) edges.delete(id)
}
