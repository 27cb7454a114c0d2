import { chooseBeads, MOST_AT_FIRST, MOST_DRAWN, topHolders } from '@beadloom/core/graph/choose-beads.ts'
import { longestChain, unlockedBy } from '@beadloom/core/graph/bead-graph.ts'
import { heldCounts } from '@beadloom/core/graph/held-up.ts'
import { placeBeads } from '@beadloom/core/graph/place-beads.ts'
import { getRouteApi } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { GraphBar } from './graph-bar.tsx'
import { GraphCycles } from './graph-cycles.tsx'
import { GraphList } from './graph-list.tsx'
import css from './graph-page.module.css'
import { GraphPicture } from './graph-picture.tsx'
import { openedOf, type GraphSearch } from './graph-search.ts'
import { useGraph, type Graph } from './use-graph.ts'
import { useHome } from '../../feed/feed-context.tsx'
import { Button } from '../../ui/button.tsx'
import { countOf, countText } from '../../ui/count-text.ts'
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
  const go = useCallback((next: GraphSearch, replace = false) => void navigate({ search: next, replace }), [navigate])
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
  return <Parts project={project} search={search} graph={graph} onSearch={go} />
}

type Props = {
  project: string
  search: GraphSearch
  graph: Graph
  onSearch: (next: GraphSearch, replace?: boolean) => void
}

function Parts({ project, search, graph: { graph, cycles, left }, onSearch }: Props) {
  const focus = search.bead !== undefined && graph.beads.has(search.bead) ? search.bead : null
  const { open, ended, all } = search
  const longest = useMemo(() => longestChain(graph), [graph])
  const chain = search.chain === true ? longest : null
  const held = useMemo(() => heldCounts(graph), [graph])
  const most = all === true || focus !== null ? MOST_DRAWN : MOST_AT_FIRST
  const chosen = useMemo(() => {
    const wish = { focus, opened: openedOf({ open }), ended: ended === true, first: chain ?? [], held }
    return chooseBeads(graph, wish, most)
  }, [graph, focus, open, ended, chain, held, most])
  // A new map of beads comes with each change of a state, but the same beads stay in their places.
  const key = chosen.ids.join('\n')
  const edges = useMemo(
    () => chosen.ids.flatMap((from) => unlockedBy(graph, from).map((to) => ({ from, to }))),
    [graph, chosen],
  )
  const edgeKey = edges.map(({ from, to }) => `${from} ${to}`).join('\n')
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- the two texts stand for the two lists
  const placed = useMemo(() => placeBeads(chosen.ids, edges), [key, edgeKey])
  const first = useMemo(
    () => chain?.[0] ?? topHolders(held, held.size).find(({ id }) => placed.at.has(id))?.id ?? null,
    [chain, held, placed],
  )
  return (
    <div className={css['page']}>
      <GraphBar project={project} search={search} focus={focus} chain={longest.length} onSearch={onSearch} />
      {search.bead !== undefined && focus === null && (
        <p role="alert" className={css['note']}>
          There is no bead “{shown(search.bead)}” in this project.
        </p>
      )}
      {cycles.length > 0 && <GraphCycles project={project} cycles={cycles} search={search} />}
      {chosen.left + left > 0 && (
        <p className={`${css['note']} ${css['ofPicture']}`}>
          {chosen.left > 0 &&
            `${chosen.ids.length} of ${countText(chosen.ids.length + chosen.left)} beads${focus === null ? ', those that hold up the most' : ''}. Choose one to see what is around it. `}
          {left > 0 && `${countOf(left, 'dependency', 'dependencies')} of finished beads left out.`}
          {chosen.left > 0 && most < MOST_DRAWN && (
            <Button look="quiet" onClick={() => onSearch({ ...search, all: true }, true)}>
              Show up to {MOST_DRAWN}
            </Button>
          )}
        </p>
      )}
      {chosen.ids.length === 0 ? (
        <PanelMessage title={graph.beads.size === 0 ? 'No beads yet' : 'No open bead waits for another'}>
          <p>A bead’s page says what it waits for, under “Wait for another bead”. In a terminal:</p>
          <pre>bd dep add LATER EARLIER</pre>
          {graph.beads.size > 0 && search.ended !== true && (
            <Button onClick={() => onSearch({ ...search, ended: true }, true)}>Show finished beads, too</Button>
          )}
        </PanelMessage>
      ) : (
        <div className={css['parts']}>
          <GraphPicture
            project={project}
            graph={graph}
            placed={placed}
            focus={focus}
            first={first}
            held={held}
            chain={chain}
            search={search}
            onSearch={onSearch}
          />
          <GraphList project={project} graph={graph} focus={focus} held={held} chain={chain} search={search} />
        </div>
      )}
    </div>
  )
}
