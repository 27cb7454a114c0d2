import { ancestorsOf, heldUpBy, type BeadGraph } from '@beadloom/core/graph/bead-graph.ts'
import { neighbours } from '@beadloom/core/graph/choose-beads.ts'
import type { Placed } from '@beadloom/core/graph/place-beads.ts'
import { useNavigate } from '@tanstack/react-router'
import { useLayoutEffect, useMemo, useRef, useState } from 'react'
import { GraphBox } from './graph-box.tsx'
import css from './graph-picture.module.css'
import { withOpened, type GraphSearch } from './graph-search.ts'
import { pathOf } from './line-path.ts'
import { useKeys } from '../../ui/keys.ts'

type Props = {
  project: string
  graph: BeadGraph
  placed: Placed
  focus: string | null
  /** The longest chain, to be marked; null: it is not. */
  chain: readonly string[] | null
  search: GraphSearch
  onSearch: (next: GraphSearch, replace?: boolean) => void
}

const SMALLEST = 0.3

/** Boxes with lines between them, in a part of the page that scrolls. */
export function GraphPicture({ project, graph, placed, focus, chain, search, onSearch }: Props) {
  const navigate = useNavigate()
  const pane = useRef<HTMLDivElement>(null)
  const [scale, setScale] = useState(1)
  const [here, setHere] = useState<string | null>(null)
  const ids = useMemo(() => [...placed.at.keys()], [placed])
  const current = here !== null && placed.at.has(here) ? here : (focus ?? ids[0] ?? null)
  const lit = useMemo(
    () => (focus === null ? null : new Set([focus, ...ancestorsOf(graph, focus), ...heldUpBy(graph, focus)])),
    [graph, focus],
  )
  const steps = useMemo(() => new Set(chain?.map((id, at) => `${id} ${chain[at + 1] ?? ''}`)), [chain])
  const links = useMemo(() => new Set(chain), [chain])

  useLayoutEffect(() => {
    const at = focus === null ? undefined : placed.at.get(focus)
    const { current: box } = pane
    if (box === null || at === undefined) return
    box.scrollTo({ left: at.x * scale - box.clientWidth / 2 + 110, top: at.y * scale - box.clientHeight / 2 })
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each bead, not with each change of it
  }, [focus, placed])

  const moveTo = (id: string | null) => {
    if (id === null) return
    setHere(id)
    const box = [...(pane.current?.querySelectorAll<HTMLElement>('[data-node]') ?? [])].find(
      (node) => node.dataset['node'] === id,
    )
    box?.focus()
  }
  const walk = (key: string) => {
    if (current !== null) moveTo(stepFrom(placed, graph, current, key))
  }
  const fit = () => {
    const box = pane.current
    if (box === null) return
    const all = Math.min(box.clientWidth / placed.width, box.clientHeight / placed.height)
    setScale((was) => (was === 1 ? Math.max(SMALLEST, Math.min(1, all)) : 1))
  }
  useKeys('Dependency graph', [
    { keys: ['ArrowLeft', 'h'], does: 'A bead that this one waits for', run: () => walk('ArrowLeft') },
    { keys: ['ArrowRight', 'l'], does: 'A bead that this one holds up', run: () => walk('ArrowRight') },
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
      does: 'Show what is around the bead',
      run: () => {
        if (current !== null) onSearch({ ...search, bead: current, open: undefined })
      },
    },
    { keys: ['0'], does: 'Fit the picture into the page, or back', run: fit },
  ])

  return (
    <div className={css['pane']} ref={pane} role="group" aria-label="Picture of the dependencies" data-graph>
      <div style={{ width: placed.width * scale, height: placed.height * scale }}>
        <div
          className={css['picture']}
          style={{ width: placed.width, height: placed.height, transform: scale === 1 ? undefined : `scale(${scale})` }}
        >
          <svg width={placed.width} height={placed.height} aria-hidden className={css['lines']}>
            {placed.lines.map(({ from, to, isBack, points }) => (
              <path
                key={`${from} ${to}`}
                d={pathOf(points, isBack)}
                className={[
                  css['line'],
                  isBack && css['back'],
                  steps.has(`${from} ${to}`) && css['chain'],
                  lit !== null && !(lit.has(from) && lit.has(to)) && css['dim'],
                ]
                  .filter(Boolean)
                  .join(' ')}
              />
            ))}
          </svg>
          {ids.map((id) => (
            <GraphBox
              key={id}
              project={project}
              id={id}
              at={placed.at.get(id) ?? { x: 0, y: 0 }}
              held={heldUpBy(graph, id).length}
              more={neighbours(graph, id).filter((other) => !placed.at.has(other)).length}
              look={{
                isFocus: id === focus,
                isCurrent: id === current,
                isDim: lit !== null && !lit.has(id),
                isChain: links.has(id),
              }}
              search={search}
              onMore={() => onSearch(withOpened({ ...search, ended: true }, id), true)}
              onFocus={() => setHere(id)}
            />
          ))}
        </div>
      </div>
    </div>
  )
}

/** Sideways along an edge, to the nearest; up and down to the nearest box of the same column. */
function stepFrom({ at }: Placed, graph: BeadGraph, id: string, key: string): string | null {
  const here = at.get(id)
  if (here === undefined) return null
  const isSideways = key === 'ArrowLeft' || key === 'ArrowRight'
  const others = isSideways ? ((key === 'ArrowLeft' ? graph.waitsFor : graph.unlocks).get(id) ?? []) : at.keys()
  let best: string | null = null
  let least = Infinity
  for (const other of others) {
    const there = at.get(other)
    if (there === undefined || other === id) continue
    const down = there.y - here.y
    if (!isSideways && (there.x !== here.x || (key === 'ArrowDown' ? down <= 0 : down >= 0))) continue
    const far = Math.abs(down) + Math.abs(there.x - here.x) / 1_000
    if (far < least) [best, least] = [other, far]
  }
  return best
}
