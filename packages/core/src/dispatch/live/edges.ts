import type { ListedBead, BeadDependency } from '../../records/bead.ts'
import { isExternal } from '../../bead/external.ts'
import { hasEnded, hasVanished, isClosed, type OpenKids } from '../../bead/waiting.ts'

/**
 * Beads by the id of their edges' target, whether that exists or not. Most targets have one bead: a set for each would
 * take most of the memory of all edges.
 */
export type Edges = Map<string, number | Set<number>>
/**
 * Children of a bead; `open` and `closed` count those that have not ended and those that are done. `named`: the open
 * ones, in the form for reasons; null: to be computed again.
 */
export type Kids = { all: Set<number>; open: number; closed: number; named: OpenKids | null }

export const isOpen = (bead: ListedBead | undefined): boolean => bead !== undefined && !hasEnded(bead)

/** Whether the tracker has it: a bead that left it unfinished counts as one that was never there. */
export const isKnown = (bead: ListedBead | undefined): boolean => bead !== undefined && !hasVanished(bead)

/** Whether it holds back the beads that wait for it; an unknown bead does, too. */
export const isWaitedFor = (bead: ListedBead | undefined): boolean => !isKnown(bead) || isOpen(bead)

/** Whether the edge is to a bead, known or not. */
export const isBlocking = ({ type, dependsOn }: BeadDependency): boolean =>
  (type === 'blocks' || type === 'conditional-blocks') && !isExternal(dependsOn)

export const parentIds = (bead: ListedBead | undefined): string[] =>
  bead === undefined || bead.dependencies.length === 0
    ? []
    : bead.dependencies.filter(({ type }) => type === 'parent-child').map(({ dependsOn }) => dependsOn)

export function count(kids: Kids, kid: ListedBead | undefined, change: number): void {
  if (kid === undefined) return
  kids.named = null
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
      return (
        edge.dependsOn === its?.dependsOn &&
        edge.type === its.type &&
        edge.metadata === its.metadata &&
        edge.met === its.met
      )
    })
  )
}

export function pointingTo(edges: Edges, id: string): Iterable<number> {
  const known = edges.get(id)
  return known === undefined ? [] : typeof known === 'number' ? [known] : known
}

export function add(edges: Edges, id: string, at: number): void {
  const known = edges.get(id)
  if (known === undefined) edges.set(id, at)
  else if (typeof known !== 'number') known.add(at)
  else if (known !== at) edges.set(id, new Set([known, at]))
}

export function drop(edges: Edges, id: string, at: number): void {
  const known = edges.get(id)
  if (known === at) edges.delete(id)
  else if (typeof known === 'object' && known.delete(at) && known.size === 0) edges.delete(id)
}
