import { MOST_DRAWN } from '@beadloom/core/graph/choose-beads.ts'
import { getRouteApi } from '@tanstack/react-router'
import { memo, useCallback, useDeferredValue, useMemo } from 'react'
import type { Wish } from './drawing/draw.ts'
import { GraphBar } from './graph-bar.tsx'
import { GraphCycles } from './graph-cycles.tsx'
import { GraphList } from './graph-list.tsx'
import css from './graph-page.module.css'
import { GraphPicture } from './graph-picture.tsx'
import { openedOf, type GraphSearch } from './graph-search.ts'
import { useGraph, type Graph } from './use-graph.ts'
import { useHome } from '../../feed/feed-context.tsx'
import { Button } from '../../ui/button.tsx'
import { countText, counted } from '@beadloom/core/text/count-text.ts'
import { shown } from '../../ui/text/hostile-text.ts'
import { Loading } from '../../ui/loading.tsx'
import { usePageTitle } from '../../ui/page-title.ts'
import { PanelMessage } from '../../ui/panel-message.tsx'
import { LoadFailure } from '../../ui/load-failure.tsx'

const route = getRouteApi('/p/$project/graph')

/** The page that shows which beads wait for which. */
export function GraphPage() {
  const { project } = route.useParams()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const name = useHome().view?.projects.get(project)?.name ?? project
  usePageTitle(`Dependencies · ${name}`)
  const wish = useMemo(() => wishOf(search), [search])
  const { graph: latest, error, again } = useGraph(project, wish)
  // Hundreds of boxes and rows render between frames instead of blocking them.
  const graph = useDeferredValue(latest, null)
  const go = useCallback((next: GraphSearch, replace = false) => void navigate({ search: next, replace }), [navigate])
  if (graph === null)
    return (
      <>
        <h1 className="visually-hidden">Dependencies of {name}</h1>
        {error === null ? (
          <Loading what="dependencies" />
        ) : (
          <LoadFailure what="The dependencies" error={error} onRetry={again} />
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

const wishOf = (search: GraphSearch): Wish => ({
  focus: search.bead ?? null,
  opened: [...openedOf(search)],
  ended: search.ended === true,
  chain: search.chain === true,
  all: search.all === true,
})

/** The board changes all the time, the graph hardly ever. */
const Parts = memo(({ project, search: asked, graph: all, onSearch }: Props) => {
  const search = useDeferredValue(asked)
  const { graph, cycles, longest, held, holders, focus, chain, shape, first } = all
  // Each change of a state brings a new answer, but with the same beads in the same places.
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- the text stands for the picture
  const placed = useMemo(() => all.placed, [shape])
  const count = placed.at.size
  return (
    <div className={css['page']}>
      <GraphBar project={project} search={asked} focus={focus} chain={longest.length} onSearch={onSearch} />
      {search.bead !== undefined && !graph.beads.has(search.bead) && (
        <p role="alert" className={css['note']}>
          There is no bead “{shown(search.bead)}” in this project.
        </p>
      )}
      {cycles.length > 0 && <GraphCycles project={project} cycles={cycles} search={search} />}
      {all.left + all.endedLeft > 0 && (
        <p className={`${css['note']} ${css['ofPicture']}`}>
          {all.left > 0 &&
            `${count} of ${countText(count + all.left)} beads${focus === null ? ', those that block the most' : ''}. Choose one to see what is around it. `}
          {all.endedLeft > 0 && `${counted(all.endedLeft, 'dependency', 'dependencies')} of finished beads left out.`}
          {all.left > 0 && all.most < MOST_DRAWN && (
            <Button look="quiet" onClick={() => onSearch({ ...search, all: true }, true)}>
              Show up to {MOST_DRAWN}
            </Button>
          )}
        </p>
      )}
      {count === 0 ? (
        <PanelMessage title={graph.beads.size === 0 ? 'No beads yet' : 'No open bead waits for another'}>
          <p>To make a bead wait for another, open it and press “Wait for another bead”. In a terminal:</p>
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
          <GraphList
            project={project}
            graph={graph}
            focus={focus}
            held={held}
            holders={holders}
            chain={chain}
            search={search}
          />
        </div>
      )}
    </div>
  )
})
Parts.displayName = 'Parts'
