import type { Placed } from '@beadloom/core/graph/place-beads.ts'
import { memo, useMemo } from 'react'
import css from './graph-lines.module.css'
import { pathOf } from './line-path.ts'
import { useGrowing } from './use-growing.ts'

type Props = {
  placed: Placed
  /** An edge is highlighted if both of its ends are in this set. Null: nothing is looked at. */
  lit: ReadonlySet<string> | null
  /** Ids in the order of the chain. */
  chain: readonly string[] | null
}

/** Together with a frame's boxes, these lines take less than the whole frame. */
const LINES_A_FRAME = 40
const keyOf = ({ from, to }: { from: string; to: string }): string => `${from} ${to}`

/** The edges, with a tip at their end; highlighted ones lie above the others. */
export const GraphLines = memo(({ placed, lit, chain }: Props) => {
  const steps = new Set(chain?.map((id, at) => `${id} ${chain[at + 1] ?? ''}`))
  const kindOf = ({ from, to, isBack }: Placed['lines'][number]): Kind =>
    isBack
      ? 'back'
      : steps.has(`${from} ${to}`)
        ? 'chain'
        : lit === null
          ? 'usual'
          : lit.has(from) && lit.has(to)
            ? 'lit'
            : 'dim'
  const keys = useMemo(() => placed.lines.map(keyOf), [placed])
  const drawn = new Set(useGrowing(keys, keys, LINES_A_FRAME))
  const lines = placed.lines.filter((line) => drawn.has(keyOf(line))).map((line) => ({ ...line, kind: kindOf(line) }))
  return (
    <svg width={placed.width} height={placed.height} aria-hidden className={css['lines']}>
      <defs>
        {kinds.map((kind) => (
          <marker
            key={kind}
            id={`graph-tip-${kind}`}
            viewBox="0 0 8 8"
            refX="7.5"
            refY="4"
            markerWidth="8"
            markerHeight="8"
            markerUnits="userSpaceOnUse"
            orient="auto"
          >
            <path d="M0.5 0.5L7.5 4L0.5 7.5z" className={`${css['tip']} ${css[kind]}`} />
          </marker>
        ))}
      </defs>
      {lines
        .toSorted((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind))
        .map(({ from, to, isBack, points, kind }) => (
          <path
            key={keyOf({ from, to })}
            d={pathOf(points, isBack)}
            className={`${css['line']} ${css[kind]}`}
            markerEnd={`url(#graph-tip-${kind})`}
          />
        ))}
    </svg>
  )
})
GraphLines.displayName = 'GraphLines'

/** From bottom to top. */
const kinds = ['dim', 'usual', 'lit', 'chain', 'back'] as const
type Kind = (typeof kinds)[number]
