import { chooseBeads, topHolders } from '@beadloom/core/graph/choose-beads.ts'
import { longestChain, unlockedBy } from '@beadloom/core/graph/bead-graph.ts'
import { placeBeads } from '@beadloom/core/graph/place-beads.ts'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import { GraphBar } from './graph-bar.tsx'
import { GraphList } from './graph-list.tsx'
import css from './graph-page.module.css'
import { GraphPicture } from './graph-picture.tsx'
import { openedOf, type GraphSearch } from './graph-search.ts'
import { useGraph, type Graph } from './use-graph.ts'
import { useHome } from '../../feed/feed-context.tsx'
import { Button } from '../../ui/button.tsx'
import { countOf } from '../../ui/count-text.ts'
import { shown } from '../../ui/hostile-text.ts'
import { Loading } from '../../ui/loading.tsx'
import { usePageTitle } from '../../ui/page-title.ts'
import { PanelMessage } from '../../ui/panel-message.tsx'

const route = getRouteApi('/p/$project/graph')

/** Which beads wait for which. */
export function GraphPage() {
  const { project } = route.useParams()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const name = useHome().view?.projects.get(project)?.name ?? project
  usePageTitle(`Dependencies · ${name}`)
  const { graph, error, again } = useGraph(project)
  if (graph === null)
    return (
      <>
        <h1 className="visually-hidden">Dependencies of {name}</h1>
        {error === null ? (
          <Loading what="dependencies" />
        ) : (
          <PanelMessage title="The dependencies could not be loaded" role="alert">
            <p>{shown(error.message)}</p>
            <Button onClick={again}>Try again</Button>
          </PanelMessage>
        )}
      </>
    )
  const go = (next: GraphSearch, replace = false) => void navigate({ search: next, replace })
  return <Parts project={project} search={search} graph={graph} onSearch={go} />
}

type Props = {
  project: string
  search: GraphSearch
  graph: Graph
  onSearch: (next: GraphSearch, replace?: boolean) => void
}

const HOLDERS = 12

function Parts({ project, search, graph: { graph, cycles, left }, onSearch }: Props) {
  const focus = search.bead !== undefined && graph.beads.has(search.bead) ? search.bead : null
  const { open, ended } = search
  const chosen = useMemo(
    () => chooseBeads(graph, { focus, opened: openedOf({ open }), ended: ended === true }),
    [graph, focus, open, ended],
  )
  // A new map of beads comes with each change of a state, but the same beads stay in their places.
  const key = chosen.ids.join('\n')
  const edges = useMemo(
    () => chosen.ids.flatMap((from) => unlockedBy(graph, from).map((to) => ({ from, to }))),
    [graph, chosen],
  )
  const edgeKey = edges.map(({ from, to }) => `${from} ${to}`).join('\n')
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- the two texts stand for the two lists
  const placed = useMemo(() => placeBeads(chosen.ids, edges), [key, edgeKey])
  const chain = useMemo(() => longestChain(graph), [graph])
  const holders = useMemo(() => topHolders(graph, HOLDERS), [graph])
  return (
    <div className={css['page']}>
      <GraphBar project={project} search={search} focus={focus} chain={chain.length} onSearch={onSearch} />
      {search.bead !== undefined && focus === null && (
        <p role="alert" className={css['note']}>
          There is no bead “{shown(search.bead)}” in this project.
        </p>
      )}
      {cycles.length > 0 && (
        <p role="alert" className={css['problem']}>
          {countOf(cycles.length, 'cycle')}: {cycles.slice(0, 3).map(cycleText).join('; ')}. These beads wait for each
          other and can never start. Remove one of the dependencies in the tracker.
        </p>
      )}
      {chosen.left + left > 0 && (
        <p className={css['note']}>
          {chosen.left > 0 &&
            `Showing ${chosen.ids.length} of ${chosen.ids.length + chosen.left} beads; choose one to see what is around it. `}
          {left > 0 && `${countOf(left, 'dependency', 'dependencies')} of finished beads left out.`}
        </p>
      )}
      {chosen.ids.length === 0 ? (
        <PanelMessage title={graph.beads.size === 0 ? 'No beads yet' : 'No open bead waits for another'}>
          <p>Dependencies between beads appear here. In a terminal: </p>
          <pre>bd dep add LATER EARLIER</pre>
        </PanelMessage>
      ) : (
        <div className={css['parts']}>
          <GraphPicture
            project={project}
            graph={graph}
            placed={placed}
            focus={focus}
            chain={search.chain === true ? chain : null}
            search={search}
            onSearch={onSearch}
          />
          <GraphList project={project} graph={graph} focus={focus} holders={holders} search={search} />
        </div>
      )}
    </div>
  )
}

const MOST_IN_PATH = 6
const cycleText = (path: readonly string[]): string =>
  path.length <= MOST_IN_PATH
    ? path.join(' → ')
    : `${path.slice(0, MOST_IN_PATH - 1).join(' → ')} → … → ${path.at(-1) ?? ''} (${path.length - 1} beads)`
