import type { Bead, BeadDependency } from '../records/bead.ts'
import { hasEnded, waitingTypes } from './waiting.ts'

type WaitingBead = Pick<Bead, 'status' | 'trackerStatus'> & { id: string; dependencies: readonly BeadDependency[] }

/**
 * Beads that wait for themselves, as paths that end where they begin (`['a', 'b', 'a']`): one for each group of beads
 * that all wait for each other, in the order of `beads`. An ended bead breaks a cycle. Linear, and without recursion,
 * so that a chain of 100,000 beads does not overflow the stack.
 */
export function findCycles(beads: readonly WaitingBead[]): string[][] {
  const graph = edgesOf(beads)
  const knots = stronglyConnected(graph)
  return knots.map((knot) => cycleIn(knot, graph).map((at) => beads[at]?.id ?? ''))
}

type Graph = readonly (readonly number[])[]

const nothing: readonly number[] = []

function edgesOf(beads: readonly WaitingBead[]): Graph {
  const positions = new Map<string, number>()
  for (const [at, bead] of beads.entries()) if (!hasEnded(bead)) positions.set(bead.id, at)
  return beads.map((bead, at) => {
    if (bead.dependencies.length === 0 || positions.get(bead.id) !== at) return nothing
    const targets = bead.dependencies.filter((edge) => waitingTypes.has(edge.type))
    return targets.map((edge) => positions.get(edge.dependsOn)).filter((target) => target !== undefined)
  })
}

/** Tarjan's algorithm with its own stack; only components that contain a cycle, each sorted, smallest first. */
function stronglyConnected(graph: Graph): number[][] {
  const order = new Int32Array(graph.length)
  const low = new Int32Array(graph.length)
  const onPath = new Uint8Array(graph.length)
  const nextEdge = new Int32Array(graph.length)
  const path: number[] = []
  const knots: number[][] = []
  let counter = 0

  const enter = (at: number, calls: number[]): void => {
    order[at] = low[at] = ++counter
    onPath[at] = 1
    path.push(at)
    calls.push(at)
  }
  const lower = (at: number, to: number): void => {
    low[at] = Math.min(low[at] ?? 0, to)
  }

  for (let root = 0; root < graph.length; root++) {
    if (order[root] !== 0 || graph[root] === nothing) continue
    const calls: number[] = []
    enter(root, calls)
    while (calls.length > 0) {
      const at = calls.at(-1) ?? 0
      const edge = nextEdge[at] ?? 0
      const target = graph[at]?.[edge]
      if (target !== undefined) {
        nextEdge[at] = edge + 1
        if (order[target] === 0) enter(target, calls)
        else if (onPath[target] === 1) lower(at, order[target] ?? 0)
        continue
      }
      calls.pop()
      const caller = calls.at(-1)
      if (caller !== undefined) lower(caller, low[at] ?? 0)
      if (low[at] !== order[at]) continue
      const component = path.splice(path.lastIndexOf(at))
      for (const member of component) onPath[member] = 0
      if (component.length > 1 || graph[at]?.includes(at)) knots.push(component.sort((a, b) => a - b))
    }
  }
  return knots.sort((a, b) => (a[0] ?? 0) - (b[0] ?? 0))
}

/** The shortest way from the first bead of a knot back to itself, searched breadth first. */
function cycleIn(knot: readonly number[], graph: Graph): number[] {
  const start = knot[0] ?? 0
  const members = new Set(knot)
  const cameFrom = new Map<number, number>()
  const queue = [start]
  for (const at of queue) {
    for (const target of graph[at] ?? nothing) {
      if (target === start) return [...wayBack(at, cameFrom), start]
      if (!members.has(target) || cameFrom.has(target)) continue
      cameFrom.set(target, at)
      queue.push(target)
    }
  }
  return [start, start]
}

function wayBack(from: number, cameFrom: ReadonlyMap<number, number>): number[] {
  const way: number[] = []
  for (let at: number | undefined = from; at !== undefined; at = cameFrom.get(at)) way.push(at)
  return way.reverse()
}
