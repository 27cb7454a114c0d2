import { box, type Point } from '@beadloom/core/graph/place-beads.ts'
import { Link } from '@tanstack/react-router'
import css from './graph-picture.module.css'
import type { GraphSearch } from './graph-search.ts'
import { StateMark } from '../../components/bead/state-mark.tsx'
import { marks } from '../../components/bead/states.ts'
import tones from '../../components/bead/tones.module.css'
import { useLanes } from '../../components/bead/use-lanes.ts'
import { useBoard } from '../../feed/feed-context.tsx'
import { countOf } from '../../ui/count-text.ts'
import { shown } from '../../ui/hostile-text.ts'

type Props = {
  project: string
  id: string
  at: Point
  /** Beads that cannot go on before this one has ended. */
  held: number
  /** Neighbours that are not drawn. */
  more: number
  look: { isFocus: boolean; isCurrent: boolean; isDim: boolean; isChain: boolean }
  search: GraphSearch
  onMore: () => void
  onFocus: () => void
}

/** States in which what a bead holds up waits for a person. */
const stuck: ReadonlySet<string> = new Set(['failed', 'blocked', 'timeout'])

/** A link to what is around the bead; where that is shown already, to the bead itself. */
export function GraphBox({ project, id, at, held, more, look, search, onMore, onFocus }: Props) {
  const { view } = useBoard(project)
  const lane = useLanes(project)(id, view?.beads.get(id)?.status) ?? 'open'
  const mark = marks[lane]
  const title = view?.beads.get(id)?.title ?? ''
  const holds = held > 0 && stuck.has(lane) ? `holds up ${countOf(held, 'bead')}` : null
  const link = {
    className: css['link'],
    'data-node': id,
    tabIndex: look.isCurrent ? 0 : -1,
    onFocus,
    title: shown(title),
  }
  const words = (
    <>
      <span className={css['head']}>
        <StateMark mark={mark} bare />
        <span className={css['id']}>{id}</span>
        {holds !== null && <span className={css['holds']}>{holds}</span>}
      </span>
      <span className={css['title']}>{shown(title)}</span>
    </>
  )
  return (
    <div
      className={[
        css['box'],
        look.isFocus && css['focus'],
        look.isDim && css['dim'],
        look.isChain && css['chained'],
        holds !== null && `${css['stuck']} ${tones[mark.tone]}`,
      ]
        .filter(Boolean)
        .join(' ')}
      style={{ left: at.x, top: at.y, width: box.width, height: box.height }}
    >
      {look.isFocus ? (
        <Link to="/p/$project/b/$bead" params={{ project, bead: id }} {...link} aria-current>
          {words}
        </Link>
      ) : (
        <Link to="/p/$project/graph" params={{ project }} search={{ ...search, bead: id, open: undefined }} {...link}>
          {words}
        </Link>
      )}
      {more > 0 && (
        <button
          type="button"
          className={css['more']}
          onClick={onMore}
          tabIndex={look.isCurrent ? 0 : -1}
          aria-label={`Show ${countOf(more, 'more neighbour')} of ${id}`}
        >
          +{more}
        </button>
      )}
    </div>
  )
}
