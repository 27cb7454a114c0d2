import {
  ancestorsOf,
  heldUpBy,
  isOver,
  unlockedBy,
  waitedForBy,
  type BeadGraph,
} from '@beadloom/core/graph/bead-graph.ts'
import type { Holder } from '@beadloom/core/graph/choose-beads.ts'
import { Link } from '@tanstack/react-router'
import css from './graph-list.module.css'
import type { GraphSearch } from './graph-search.ts'
import { waitsForAPerson } from './stuck.ts'
import { StateMark } from '../../components/bead/state-mark.tsx'
import { marks } from '../../components/bead/states.ts'
import { useLanes } from '../../components/bead/use-lanes.ts'
import { useBoard } from '../../feed/feed-context.tsx'
import { counted } from '@beadloom/core/text/count-text.ts'
import { shown } from '../../ui/text/hostile-text.ts'

type Props = {
  project: string
  graph: BeadGraph
  focus: string | null
  held: ReadonlyMap<string, number>
  /** The beads of `held`; those that hold up the most come first. */
  holders: readonly Holder[]
  /** The longest chain, if it is marked. */
  chain: readonly string[] | null
  search: GraphSearch
}

/** Further ones are only counted. */
const MOST_ROWS = 50
const HOLDERS = 12

/** The picture's content as lists: for one bead, or for the project. */
export function GraphList({ project, graph, focus, held, holders, chain, search }: Props) {
  const lane = useLanes(project)
  if (focus === null) {
    const of = { project, search }
    const stuck: string[] = []
    for (const { id } of holders) {
      if (stuck.length === HOLDERS) break
      if (waitsForAPerson(lane(id, graph.beads.get(id)?.status) ?? 'open')) stuck.push(id)
    }
    // The same row twice would say nothing new; in a small project the two lists would be the same.
    const others = holders.filter(({ id }) => !stuck.includes(id)).slice(0, HOLDERS)
    const heldBy = (id: string) => counted(held.get(id) ?? 0, 'bead')
    return (
      <aside className={css['list']} aria-label="Beads that others wait for">
        {chain !== null && <Part title="Longest chain" ids={chain} of={of} numbered />}
        <Part title="Stuck and blocking others" ids={stuck} of={of}>
          {heldBy}
        </Part>
        <Part
          title={stuck.length === 0 ? 'Block the most' : 'Others that block the most'}
          ids={others.map(({ id }) => id)}
          of={of}
        >
          {heldBy}
        </Part>
      </aside>
    )
  }
  const direct = waitedForBy(graph, focus)
  const next = unlockedBy(graph, focus)
  const before = ancestorsOf(graph, focus).filter((id) => !direct.includes(id) && !isOver(graph, id))
  const after = heldUpBy(graph, focus).filter((id) => !next.includes(id))
  const of = { project, search }
  return (
    <aside className={css['list']} aria-label={`Around ${focus}`}>
      <Part title="This bead" ids={[focus]} of={of} opens />
      <Part title="Waits for" ids={direct} of={of} none="nothing" />
      <Part title="Indirectly for" ids={before} of={of} />
      <Part title="Blocks" ids={next} of={of} none="nothing" />
      <Part title="Indirectly" ids={after} of={of} />
    </aside>
  )
}

type PartProps = {
  title: string
  ids: readonly string[]
  of: { project: string; search: GraphSearch }
  /** Shown if the part is empty; without it, the part is left out. */
  none?: string
  /** A row opens the bead's page instead of its place in the graph. */
  opens?: boolean
  /** The order matters. */
  numbered?: boolean
  children?: (id: string) => string
}

function Part({ title, ids, of: { project, search }, none, opens = false, numbered = false, children }: PartProps) {
  const lane = useLanes(project)
  const { view } = useBoard(project)
  if (ids.length === 0 && none === undefined) return null
  return (
    <section aria-label={title}>
      <h2>
        {title} {ids.length > 1 && <span className={css['count']}>{ids.length}</span>}
      </h2>
      {ids.length === 0 && <p className={css['count']}>{none}</p>}
      <ul className={numbered ? css['numbered'] : undefined}>
        {ids.slice(0, MOST_ROWS).map((id) => (
          <li key={id}>
            <StateMark mark={marks[lane(id, view?.beads.get(id)?.status) ?? 'open']} bare />
            {opens ? (
              <Link to="/p/$project/b/$bead" params={{ project, bead: id }}>
                <Name id={id} title={view?.beads.get(id)?.title ?? ''} />
              </Link>
            ) : (
              <Link to="/p/$project/graph" params={{ project }} search={{ ...search, bead: id, open: undefined }}>
                <Name id={id} title={view?.beads.get(id)?.title ?? ''} />
              </Link>
            )}
            {children && <span className={css['count']}>{children(id)}</span>}
          </li>
        ))}
      </ul>
      {ids.length > MOST_ROWS && <p className={css['count']}>and {ids.length - MOST_ROWS} more</p>}
    </section>
  )
}

const Name = ({ id, title }: { id: string; title: string }) => (
  <>
    <span className={css['id']}>{id}</span> {shown(title)}
  </>
)
