import { cyclesOf, indexGraph, type BeadGraph } from '@beadloom/core/graph/bead-graph.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { getDependencies } from '../../api/endpoints.ts'
import { useBoard } from '../../feed/feed-context.tsx'

/** An edge changes with a bead; so many news of beads are awaited together. */
const PAUSE_MS = 1_000

export type Graph = { graph: BeadGraph; cycles: string[][]; left: number }

/** Null while the beads or their edges are not known yet. */
export function useGraph(project: string): { graph: Graph | null; error: Error | null; again: () => void } {
  const { view } = useBoard(project)
  const query = useQuery({
    queryKey: ['dependencies', project],
    queryFn: ({ signal }) => getDependencies(project, signal),
    staleTime: PAUSE_MS,
  })
  const client = useQueryClient()
  const beads = view?.beads
  useEffect(() => {
    if (beads === undefined) return
    const timer = setTimeout(() => void client.invalidateQueries({ queryKey: ['dependencies', project] }), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [client, project, beads])
  const { data, error, refetch } = query
  const graph = useMemo(() => {
    if (beads === undefined || data === undefined) return null
    const shown = [...beads.values()].filter(({ hidden }) => !hidden)
    return { graph: indexGraph(shown, data.items), cycles: cyclesOf(shown, data.items), left: data.left }
  }, [beads, data])
  return { graph, error: data === undefined ? error : null, again: () => void refetch() }
}
