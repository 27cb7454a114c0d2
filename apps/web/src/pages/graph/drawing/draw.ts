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

/** Beads and edges at one time; equal numbers mean equal facts. */
export type Facts = { number: number; beads: readonly GraphBead[]; edges: readonly WaitEdge[] }

/** Results that depend on the facts alone. */
export type Known = {
  /** Together with the beads, a `BeadGraph`. */
  ways: Omit<BeadGraph, 'beads'>
  cycles: string[][]
  longest: string[]
  held: ReadonlyMap<string, number>
  /** The beads of `held`; those that hold up the most come first. */
  holders: Holder[]
}

/** The part that a person wants to see. */
export type Wish = { focus: string | null; opened: readonly string[]; ended: boolean; chain: boolean; all: boolean }

export type Picture = {
  /** Null: no bead was chosen, or it does not exist. */
  focus: string | null
  /** The longest chain, if it is to be marked. */
  chain: readonly string[] | null
  placed: Placed
  /** Equal texts mean the same beads and edges, and so the same places. */
  shape: string
  /** Number of beads for which there was no room. */
  left: number
  /** The limit of beads drawn. */
  most: number
  /** The bead to show at first, if none is in focus. */
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
