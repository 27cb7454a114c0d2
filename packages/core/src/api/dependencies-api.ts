import type { WaitEdge } from '../graph/bead-graph.ts'

/** Who waits for whom in a project. Edges of beads that have not ended come first. */
export type DependenciesView = {
  items: WaitEdge[]
  /** Further edges that were left out, of beads that have ended. */
  left: number
}
