import {
  cyclesOf,
  indexGraph,
  longestChain,
  unlockedBy,
  type BeadGraph,
  type GraphBead,
  type WaitEdge,
} from '@beadloom/core/graph/bead-graph.ts'
import { chooseBeads, MOST_AT_FIRST, MOST_DRAWN, topHolders, type Holder } from '@beadloom/core/graph/choose-beads.ts'
import { heldCounts } from '@beadloom/core/graph/held-up.ts'
import { placeBeads, type Placed } from '@beadloom/core/graph/place-beads.ts'

/** Beads and edges as they are at one time; the same number for the same. */
export type Facts = { number: number; beads: readonly GraphBead[]; edges: readonly WaitEdge[] }

/** What follows from the facts alone. */
export type Known = {
  /** With the beads themselves it is a `BeadGraph`. */
  ways: Omit<BeadGraph, 'beads'>
  cycles: string[][]
  longest: string[]
  held: ReadonlyMap<string, number>
  /** The beads of `held`, those that hold up the most first. */
  holders: Holder[]
}

/** What somebody wants to see of it. */
export type Wish = { focus: string | null; opened: readonly string[]; ended: boolean; chain: boolean; all: boolean }

export type Picture = {
  /** Null: there is no such bead, or none was asked for. */
  focus: string | null
  /** The longest chain, where it is marked. */
  chain: readonly string[] | null
  placed: Placed
  /** The same text for the same beads with the same edges, which are in the same places then. */
  shape: string
  /** Beads for which there was no room. */
  left: number
  /** No more than these would be drawn. */
  most: number
  /** Which bead is in sight at first, where none is in focus. */
  first: string | null
}

export const readFacts = ({ beads, edges }: Facts): { graph: BeadGraph; known: Known } => {
  const graph = indexGraph(beads, edges)
  const { beads: _, ...ways } = graph
  const held = heldCounts(graph)
  const holders = topHolders(held, held.size)
  return { graph, known: { ways, cycles: cyclesOf(beads, edges), longest: longestChain(graph), held, holders } }
}

export function drawWish(graph: BeadGraph, { longest, held, holders }: Known, wish: Wish): Picture {
  const focus = wish.focus !== null && graph.beads.has(wish.focus) ? wish.focus : null
  const chain = wish.chain ? longest : null
  const most = wish.all || focus !== null ? MOST_DRAWN : MOST_AT_FIRST
  const asked = { focus, opened: new Set(wish.opened), ended: wish.ended, first: chain ?? [], held }
  const { ids, left } = chooseBeads(graph, asked, most)
  const arrows = ids.flatMap((from) => unlockedBy(graph, from).map((to) => ({ from, to })))
  const placed = placeBeads(ids, arrows)
  const shape = [...ids, ...arrows.map(({ from, to }) => `${from} ${to}`)].join('\n')
  const first = chain?.[0] ?? holders.find(({ id }) => placed.at.has(id))?.id ?? null
  return { focus, chain, placed, shape, left, most, first }
}
