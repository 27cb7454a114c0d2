import type { BeadGraph, WaitEdge } from '@beadloom/core/graph/bead-graph.ts'
import type { DependenciesView } from '@beadloom/core/api/beads/dependencies-api.ts'
import type { BeadCard } from '@beadloom/core/api/beads/bead-api.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import type { Facts, Known, Picture, Wish } from './drawing/draw.ts'
import { DrawingClient } from './drawing/drawing-client.ts'
// oxlint-disable-next-line import/default -- the build's answer to the question, not the module's export
import workerUrl from './drawing/drawing-worker.ts?worker&url'
import { getDependencies } from '../../api/endpoints.ts'
import { useBoard } from '../../feed/feed-context.tsx'
import { startWorker } from '../../ui/start-worker.ts'

/** Edges change with beads; changes within this time are read together. */
const PAUSE_MS = 1_000

export type Graph = {
  graph: BeadGraph
  /** Number of edges of finished beads that the server left out. */
  endedLeft: number
} & Omit<Known, 'ways'> &
  Picture

const drawing = new DrawingClient(() => startWorker(workerUrl))

/** The last facts, with their beads as a text: a person who returns to the page finds the graph drawn. */
let last: { project: string; key: string; facts: Facts } | null = null

/**
 * Null until the beads and their edges are known. After a new wish, the last picture stays until the new one is drawn.
 */
export function useGraph(project: string, wish: Wish): { graph: Graph | null; error: Error | null; again: () => void } {
  const { view } = useBoard(project)
  const client = useQueryClient()
  const queryKey = ['dependencies', project]
  const edges = useQuery({
    queryKey,
    // An unchanged answer keeps its identity. Comparing texts takes no time, even for thousands of edges.
    queryFn: async ({ signal }): Promise<Edges> => {
      const text = await getDependencies(project, signal)
      const known = client.getQueryData<Edges>(queryKey)
      return known?.text === text ? known : { text, view: JSON.parse(text) as DependenciesView }
    },
    structuralSharing: false,
    staleTime: PAUSE_MS,
  })
  const beads = view?.beads
  useEffect(() => {
    if (beads === undefined) return
    const timer = setTimeout(() => void client.invalidateQueries({ queryKey: ['dependencies', project] }), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [client, project, beads])
  const { items, left: endedLeft = 0 } = edges.data?.view ?? {}
  const facts = useMemo(
    () => (beads && items ? factsOf(project, beads.values(), items) : null),
    [project, beads, items],
  )
  const drawn = useQuery({
    queryKey: ['graph', project, facts?.number, wish],
    queryFn: async () => {
      if (facts === null) throw new Error('nothing to draw yet')
      return { facts, ...(await drawing.ask(facts, wish)) }
    },
    enabled: facts !== null,
    structuralSharing: false,
    staleTime: Infinity,
    placeholderData: (before, query) => (query?.queryKey[1] === project ? before : undefined),
  })
  const { data } = drawn
  const graph = useMemo((): Graph | null => {
    if (data === undefined) return null
    const { ways, ...known } = data.known
    const byId = new Map(data.facts.beads.map((bead) => [bead.id, bead]))
    return { graph: { ...ways, beads: byId }, endedLeft, ...known, ...data.picture }
  }, [data, endedLeft])
  return {
    graph,
    error: graph === null ? (edges.error ?? drawn.error) : null,
    again: () => void (edges.error === null ? drawn.refetch() : edges.refetch()),
  }
}

/** The answer as text, for comparison. */
type Edges = { text: string; view: DependenciesView }

/** Thousands of beads change all the time in ways that matter to no edge; only other changes draw the graph again. */
function factsOf(project: string, cards: Iterable<BeadCard>, edges: readonly WaitEdge[]): Facts {
  const shown: BeadCard[] = []
  let key = ''
  for (const card of cards) {
    if (card.hidden) continue
    shown.push(card)
    key += `${card.id} ${card.status} ${card.trackerStatus}\n`
  }
  if (last?.project === project && last.key === key && last.facts.edges === edges) return last.facts
  const beads = shown.map(({ id, status, trackerStatus, priority }) => ({ id, status, trackerStatus, priority }))
  last = { project, key, facts: { number: (last?.facts.number ?? 0) + 1, beads, edges } }
  return last.facts
}
