import { ancestorsOf, heldUpBy, type BeadGraph } from '@beadloom/core/graph/bead-graph.ts'
import { neighbours } from '@beadloom/core/graph/choose-beads.ts'
import { box as boxSize, type Placed } from '@beadloom/core/graph/place-beads.ts'
import { Maximize, Minus, Plus } from 'lucide-react'
import { useCallback, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { GraphBox } from './graph-box.tsx'
import { GraphLines } from './graph-lines.tsx'
import css from './graph-picture.module.css'
import { withOpened, type GraphSearch } from './graph-search.ts'
import { useGrowing } from './use-growing.ts'
import { useGraphKeys } from './use-graph-keys.ts'
import { useZoom, type Zoom } from './zoom.ts'
import { IconButton } from '../../ui/button.tsx'

type Props = {
  project: string
  graph: BeadGraph
  placed: Placed
  focus: string | null
  /** The bead to show at first, if none is in focus. */
  first: string | null
  held: ReadonlyMap<string, number>
  /** The longest chain, if it is to be marked; null: it is not. */
  chain: readonly string[] | null
  search: GraphSearch
  onSearch: (next: GraphSearch, replace?: boolean) => void
}

/** Below this scale titles are unreadable. */
const FAR = 0.6

/** Layout of these takes half a frame on a slow machine. */
const BOXES_A_FRAME = 16

/** Boxes with lines between them, in a scrolling pane. */
export function GraphPicture({ project, graph, placed, focus, first, held, chain, search, onSearch }: Props) {
  const pane = useRef<HTMLDivElement>(null)
  const zoom = useZoom(pane, placed)
  const { scale } = zoom
  const [here, setHere] = useState<string | null>(null)
  /** The bead under the pointer, or with the keyboard's focus. */
  const [looked, setLooked] = useState<string | null>(null)
  const ids = useMemo(() => [...placed.at.keys()], [placed])
  const current = here !== null && placed.at.has(here) ? here : (focus ?? first ?? ids[0] ?? null)
  const start = focus ?? first
  const order = useMemo(() => byDistance(placed, start), [placed, start])
  const drawn = useGrowing(ids, order, BOXES_A_FRAME)
  const subject = looked !== null && placed.at.has(looked) ? looked : focus
  const lit = useMemo(
    () => (subject === null ? null : new Set([subject, ...ancestorsOf(graph, subject), ...heldUpBy(graph, subject)])),
    [graph, subject],
  )
  const links = useMemo(() => new Set(chain), [chain])
  const more = useMemo(
    () => new Map(ids.map((id) => [id, neighbours(graph, id).filter((other) => !placed.at.has(other)).length])),
    [graph, ids, placed],
  )

  const centre = useEffectEvent(() => {
    const { current: box } = pane
    const at = placed.at.get(focus ?? first ?? '')
    if (box === null || at === undefined) return
    box.scrollTo({
      left: focus === null ? 0 : (at.x + boxSize.width / 2) * scale - box.clientWidth / 2,
      top: (at.y + boxSize.height / 2) * scale - box.clientHeight / 2,
    })
  })
  // Once for each bead, not with each change of the scale.
  useLayoutEffect(() => centre(), [focus, placed])

  const show = useCallback((id: string, isIn: boolean) => {
    if (isIn) setHere(id)
    setLooked((was) => (isIn ? id : was === id ? null : was))
  }, [])
  const point = useCallback((id: string | null) => setLooked(id), [])
  const open = useCallback(
    (id: string) => onSearch(withOpened({ ...search, ended: true }, id), true),
    [onSearch, search],
  )
  useGraphKeys({ project, placed, graph, current, search, onSearch, zoom, pane, onWalk: setHere })

  return (
    <div className={css['frame']}>
      <div
        className={css['pane']}
        ref={pane}
        role="group"
        aria-label="Picture of the dependencies"
        data-graph
        data-far={scale < FAR || undefined}
        {...zoom.drag}
      >
        <div className={css['room']} style={{ width: placed.width * scale, height: placed.height * scale }}>
          <div
            className={css['picture']}
            style={{
              width: placed.width,
              height: placed.height,
              transform: scale === 1 ? undefined : `scale(${scale})`,
            }}
          >
            <GraphLines placed={placed} lit={lit} chain={chain} />
            {drawn.map((id) => {
              const at = placed.at.get(id)
              return (
                <GraphBox
                  key={id}
                  project={project}
                  id={id}
                  x={at?.x ?? 0}
                  y={at?.y ?? 0}
                  held={held.get(id) ?? 0}
                  more={more.get(id) ?? 0}
                  isFocus={id === focus}
                  isCurrent={id === current}
                  isDim={lit !== null && !lit.has(id)}
                  isChain={links.has(id)}
                  search={search}
                  onMore={open}
                  onFocus={show}
                  onPoint={point}
                />
              )
            })}
          </div>
        </div>
      </div>
      <ZoomButtons zoom={zoom} />
    </div>
  )
}

const ZoomButtons = ({ zoom }: { zoom: Zoom }) => (
  <div className={css['zoom']} role="group" aria-label="Zoom">
    <IconButton label="Zoom out" onClick={zoom.smaller}>
      <Minus size={16} strokeWidth={1.5} aria-hidden />
    </IconButton>
    <output className={css['scale']}>{Math.round(zoom.scale * 100)} %</output>
    <IconButton label="Zoom in" onClick={zoom.larger}>
      <Plus size={16} strokeWidth={1.5} aria-hidden />
    </IconButton>
    <IconButton label="Fit the picture into the page" onClick={zoom.fit}>
      <Maximize size={16} strokeWidth={1.5} aria-hidden />
    </IconButton>
  </div>
)

/** The beads, nearest to the starting place first. */
function byDistance({ at }: Placed, start: string | null): string[] {
  const { x, y } = at.get(start ?? '') ?? { x: 0, y: 0 }
  const far = (id: string): number => Math.hypot((at.get(id)?.x ?? 0) - x, (at.get(id)?.y ?? 0) - y)
  return [...at.keys()].toSorted((a, b) => far(a) - far(b))
}
