import { cyclesOf, indexGraph, type BeadGraph } from '@beadloom/core/graph/bead-graph.ts'
import type { BeadCard } from '@beadloom/core/api/api.ts'
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
  // Thousands of beads change all the time in what no edge depends on; the graph is made again only for the rest.
  const key = useMemo(() => keyOf(beads?.values()), [beads])
  const graph = useMemo(() => {
    if (beads === undefined || data === undefined) return null
    const seen = [...beads.values()].filter(({ hidden }) => !hidden)
    return { graph: indexGraph(seen, data.items), cycles: cyclesOf(seen, data.items), left: data.left }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the key stands for the beads
  }, [key, data])
  return { graph, error: data === undefined ? error : null, again: () => void refetch() }
}

const keyOf = (beads: Iterable<BeadCard> | undefined): string | null => {
  if (beads === undefined) return null
  let key = ''
  for (const { id, status, trackerStatus, hidden } of beads) if (!hidden) key += `${id} ${status} ${trackerStatus}\n`
  return key
}
