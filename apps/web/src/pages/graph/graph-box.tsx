import { box } from '@beadloom/core/graph/place-beads.ts'
import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import css from './graph-picture.module.css'
import type { GraphSearch } from './graph-search.ts'
import { StateMark } from '../../components/bead/state-mark.tsx'
import { marks } from '../../components/bead/states.ts'
import tones from '../../components/bead/tones.module.css'
import { useLane } from '../../components/bead/use-lanes.ts'
import { waitsForAPerson } from './stuck.ts'
import { useLive } from '../../feed/feed-context.tsx'
import { countText, counted } from '@beadloom/core/text/count-text.ts'
import { shown } from '../../ui/text/hostile-text.ts'

type Props = {
  project: string
  id: string
  x: number
  y: number
  /** Number of beads that cannot continue before this one has ended. */
  held: number
  /** Number of neighbours that are not drawn. */
  more: number
  isFocus: boolean
  isCurrent: boolean
  isDim: boolean
  isChain: boolean
  search: GraphSearch
  onMore: (id: string) => void
  /** The keyboard's focus arrives or leaves. */
  onFocus: (id: string, isIn: boolean) => void
  /** The pointer is over this bead; null: it has left. */
  onPoint: (id: string | null) => void
}

/**
 * A link to the graph around the bead; if that is shown already, to the bead itself. There may be hundreds of boxes:
 * each renders again only when something about its bead has changed.
 */
export const GraphBox = memo((props: Props) => {
  const { project, id, x, y, held, more, isFocus, isCurrent, isDim, isChain, search, onMore, onFocus, onPoint } = props
  const lane = useLane(project, id) ?? 'open'
  const title = useLive(({ topics }) => topics[`board:${project}`]?.view?.beads.get(id)?.title ?? '')
  const mark = marks[lane]
  const holds = held > 0 && waitsForAPerson(lane)
  const link = {
    className: more > 0 ? `${css['link']} ${css['hasMore']}` : css['link'],
    'data-node': id,
    tabIndex: isCurrent ? 0 : -1,
    onFocus: () => onFocus(id, true),
    onBlur: () => onFocus(id, false),
    onPointerEnter: () => onPoint(id),
    onPointerLeave: () => onPoint(null),
    title: shown(title),
    draggable: false,
  }
  const words = (
    <>
      <span className={css['head']}>
        <StateMark mark={mark} bare live={lane === 'running'} />
        <span className={css['id']}>{id}</span>
        {held > 0 && (
          <span className={css['holds']} title={`${counted(held, 'bead')} cannot be finished before it ends`}>
            blocks {countText(held)}
          </span>
        )}
      </span>
      <span className={css['title']}>{shown(title)}</span>
    </>
  )
  const looks = [
    css['box'],
    tones[mark.tone],
    css[lane],
    isFocus && css['focus'],
    isDim && css['dim'],
    isChain && css['chained'],
    holds && css['stuck'],
  ]
  return (
    <div className={looks.filter(Boolean).join(' ')} style={{ left: x, top: y, width: box.width, height: box.height }}>
      {isFocus ? (
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
          onClick={() => onMore(id)}
          tabIndex={isCurrent ? 0 : -1}
          aria-label={`Show ${counted(more, 'more neighbour')} of ${id}`}
        >
          +{more}
        </button>
      )}
    </div>
  )
})
GraphBox.displayName = 'GraphBox'
