import type { WaitEdge } from '../../graph/bead-graph.ts'

/** The beads of a project that wait for each other. Edges of beads that have not ended come first. */
export type DependenciesView = {
  items: WaitEdge[]
  /** Further edges that were left out, of beads that have ended. */
  left: number
}
