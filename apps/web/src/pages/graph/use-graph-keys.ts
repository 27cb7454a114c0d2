import type { BeadGraph } from '@beadloom/core/graph/bead-graph.ts'
import type { Placed } from '@beadloom/core/graph/place-beads.ts'
import { useNavigate } from '@tanstack/react-router'
import type { RefObject } from 'react'
import type { GraphSearch } from './graph-search.ts'
import { stepFrom } from './step-from.ts'
import type { Zoom } from './zoom.ts'
import { useKeys } from '../../ui/keys/keys.ts'

type Parts = {
  project: string
  placed: Placed
  graph: BeadGraph
  current: string | null
  search: GraphSearch
  onSearch: (next: GraphSearch) => void
  zoom: Zoom
  pane: RefObject<HTMLElement | null>
  onWalk: (id: string) => void
}

/** Every key of the picture: walking along the edges, opening a bead, zooming. */
export function useGraphKeys({ project, placed, graph, current, search, onSearch, zoom, pane, onWalk }: Parts): void {
  const navigate = useNavigate()
  const walk = (key: string) => {
    const id = current === null ? null : stepFrom(placed, graph, current, key)
    if (id === null) return
    onWalk(id)
    pane.current?.querySelector<HTMLElement>(`[data-node="${CSS.escape(id)}"]`)?.focus()
  }
  useKeys('Dependency graph', [
    { keys: ['ArrowLeft', 'h'], does: 'A bead that this one waits for', run: () => walk('ArrowLeft') },
    { keys: ['ArrowRight', 'l'], does: 'A bead that this one blocks', run: () => walk('ArrowRight') },
    { keys: ['ArrowDown', 'j'], does: 'The bead below', run: () => walk('ArrowDown') },
    { keys: ['ArrowUp', 'k'], does: 'The bead above', run: () => walk('ArrowUp') },
    {
      keys: ['o'],
      does: 'Open the bead',
      run: () => {
        if (current !== null) void navigate({ to: '/p/$project/b/$bead', params: { project, bead: current } })
      },
    },
    {
      keys: ['.'],
      does: 'Show the bead’s neighbours',
      run: () => {
        if (current !== null) onSearch({ ...search, bead: current, open: undefined })
      },
    },
    { keys: ['+', '='], does: 'Zoom in', run: zoom.larger },
    { keys: ['-'], does: 'Zoom out', run: zoom.smaller },
    { keys: ['0'], does: 'Fit the picture into the page, or back', run: zoom.fit },
  ])
}
