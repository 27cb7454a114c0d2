import type { BeadStatus } from '../records/bead.ts'
import { findCycles } from '../bead/cycles.ts'
import { hasEnded } from '../bead/waiting.ts'

/** `bead` cannot start, or as an epic not end, before `on` has. */
export type WaitEdge = { bead: string; on: string; type: string }

/** A bead in the graph. */
export type GraphBead = { id: string; status: BeadStatus; trackerStatus: string; priority: number }

/** The edges in both directions, by id; each list in the order of the edges, without beads that do not exist. */
export type BeadGraph = {
  beads: ReadonlyMap<string, GraphBead>
  waitsFor: ReadonlyMap<string, readonly string[]>
  unlocks: ReadonlyMap<string, readonly string[]>
  /** Ids of edges' targets that no bead has. */
  missing: ReadonlySet<string>
}

const none: readonly string[] = []

export function indexGraph(beads: Iterable<GraphBead>, edges: readonly WaitEdge[]): BeadGraph {
  const known = new Map<string, GraphBead>()
  for (const bead of beads) known.set(bead.id, bead)
  const waitsFor = new Map<string, string[]>()
  const unlocks = new Map<string, string[]>()
  const missing = new Set<string>()
  const seen = new Set<string>()
  for (const edge of edges) {
    const [from, to] = waitOf(edge)
    if (!known.has(edge.bead) || seen.has(`${from} ${to}`)) continue
    seen.add(`${from} ${to}`)
    if (!known.has(edge.on)) {
      missing.add(edge.on)
      continue
    }
    add(waitsFor, from, to)
    add(unlocks, to, from)
  }
  return { beads: known, waitsFor, unlocks, missing }
}

/** An epic is finished by its children, so it waits for them, although the edge is the child's. */
const waitOf = ({ bead, on, type }: WaitEdge): [waits: string, on: string] =>
  type === 'parent-child' ? [on, bead] : [bead, on]

export const waitedForBy = (graph: BeadGraph, id: string): readonly string[] => graph.waitsFor.get(id) ?? none
export const unlockedBy = (graph: BeadGraph, id: string): readonly string[] => graph.unlocks.get(id) ?? none

export const isOver = (graph: BeadGraph, id: string): boolean => {
  const bead = graph.beads.get(id)
  return bead !== undefined && hasEnded(bead)
}

/** The beads that cannot end before `id` has ended, over any number of steps, in order of distance. */
export function heldUpBy(graph: BeadGraph, id: string): string[] {
  const found = new Set([id])
  if (!isOver(graph, id))
    for (const at of found) for (const next of unlockedBy(graph, at)) if (!isOver(graph, next)) found.add(next)
  found.delete(id)
  return [...found]
}

/** All beads that a bead waits for, ended or not, in order of distance. */
export function ancestorsOf(graph: BeadGraph, id: string): string[] {
  const found = new Set([id])
  for (const at of found) for (const next of waitedForBy(graph, at)) found.add(next)
  found.delete(id)
  return [...found]
}

/**
 * The longest chain of beads that wait for each other and have not ended, its first bead first: only a shorter chain
 * makes the project shorter. Beads in a cycle never end and are left out. Among equally long chains, the one whose
 * first bead has the smaller id. Empty if no bead waits for another.
 */
export function longestChain(graph: BeadGraph): string[] {
  const after = new Map<string, string | null>()
  const length = new Map<string, number>()
  // From the ends backwards: a bead is looked at after all beads that it unlocks.
  const left = new Map<string, number>()
  const ready: string[] = []
  for (const id of graph.beads.keys()) {
    if (isOver(graph, id)) continue
    const open = unlockedBy(graph, id).filter((next) => !isOver(graph, next)).length
    left.set(id, open)
    if (open === 0) ready.push(id)
  }
  for (const id of ready) {
    const nexts = unlockedBy(graph, id).filter((next) => length.has(next))
    const best = nexts.toSorted((a, b) => (length.get(b) ?? 0) - (length.get(a) ?? 0) || byText(a, b))[0]
    after.set(id, best ?? null)
    length.set(id, 1 + (best === undefined ? 0 : (length.get(best) ?? 0)))
    for (const before of waitedForBy(graph, id)) {
      const rest = (left.get(before) ?? 0) - 1
      if (!left.has(before)) continue
      left.set(before, rest)
      if (rest === 0) ready.push(before)
    }
  }
  const start = [...length.keys()].toSorted((a, b) => (length.get(b) ?? 0) - (length.get(a) ?? 0) || byText(a, b))[0]
  if (start === undefined || (length.get(start) ?? 0) < 2) return []
  const chain: string[] = []
  for (let at: string | null | undefined = start; at !== null && at !== undefined; at = after.get(at)) chain.push(at)
  return chain
}

export const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Beads that wait for themselves, as paths that end where they begin. */
export function cyclesOf(beads: Iterable<GraphBead>, edges: readonly WaitEdge[]): string[][] {
  const byBead = new Map<string, { dependsOn: string; type: string }[]>()
  for (const { bead, on, type } of edges) {
    const list = byBead.get(bead) ?? []
    list.push({ dependsOn: on, type })
    byBead.set(bead, list)
  }
  return findCycles([...beads].map((bead) => ({ ...bead, dependencies: byBead.get(bead.id) ?? [] })))
}

function add(map: Map<string, string[]>, key: string, value: string): void {
  const list = map.get(key)
  if (list === undefined) map.set(key, [value])
  else list.push(value)
}
