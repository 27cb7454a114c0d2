import type { BeadGraph } from '@beadloom/core/graph/bead-graph.ts'
import { drawWish, readFacts, type Facts, type Known, type Picture, type Wish } from './draw.ts'

/** `facts` come only with the first wish about them. */
export type Asked = { id: number; facts: Facts | null; wish: Wish }
export type Drawn = { id: number; known: Known | null; picture: Picture }

let read: { graph: BeadGraph; known: Known } | null = null

onmessage = ({ data: { id, facts, wish } }: MessageEvent<Asked>) => {
  if (facts !== null) read = readFacts(facts)
  if (read === null) throw new Error('asked for a drawing before any facts came')
  const answer: Drawn = {
    id,
    known: facts === null ? null : read.known,
    picture: drawWish(read.graph, read.known, wish),
  }
  postMessage(answer)
}
