import type { Thread, ThreadEnd } from '@beadloom/core/activity/loom.ts'
import { Link } from '@tanstack/react-router'
import css from './loom-picture.module.css'
import { marks, type Tone } from '../../components/bead/states.ts'
import tones from '../../components/bead/tones.module.css'
import { shown } from '../../ui/hostile-text.ts'

export const LANE_PX = 26
/** How far it takes from the branch to its lane, for each lane; and at most this part of its length. */
const BEND_PX = 14
const MOST_BENT = 0.35
const LETTER_PX = 6.7

const toneOf: Record<ThreadEnd, Tone> = {
  merged: 'completed',
  failed: 'failed',
  blocked: 'blocked',
  timeout: 'timeout',
  cancelled: 'queued',
  running: 'running',
}

/** Leaves the branch, runs along its lane, and comes back where its work was merged. */
export function LoomThread({ project, thread, middle }: { project: string; thread: Thread; middle: number }) {
  const { item, end, from, to, lane } = thread
  const y = middle - lane * LANE_PX
  const bend = Math.min(BEND_PX * (1 + Math.abs(lane) / 2), (to - from) * MOST_BENT)
  const out = `M${from} ${middle}C${from + bend} ${middle} ${from} ${y} ${from + bend} ${y}`
  const isMerged = end === 'merged'
  const along = isMerged ? `H${to - bend}C${to} ${y} ${to - bend} ${middle} ${to} ${middle}` : `H${to}`
  const room = to - from - 2 * bend - 8
  const fits = room >= item.bead.length * LETTER_PX
  return (
    <Link
      to="/p/$project/b/$bead"
      params={{ project, bead: item.bead }}
      tabIndex={-1}
      className={`${css['thread']} ${tones[toneOf[end]]}`}
    >
      <title>{`${item.bead} ${shown(item.title)}: ${wordOf(end)}`}</title>
      <path d={`${out}${along}`} className={css['touch']} />
      <path d={`${out}${along}`} className={`${css['line']} ${end === 'running' ? css['live'] : ''}`} />
      {isMerged ? (
        <circle cx={to} cy={middle} r={5} className={css['bead']} />
      ) : (
        <g className={css['end']} transform={`translate(${to} ${y})`}>
          {shapeOf(end)}
        </g>
      )}
      {fits && (
        <text x={from + bend + 4} y={y - 5} className={css['name']}>
          {item.bead}
        </text>
      )}
    </Link>
  )
}

const wordOf = (end: ThreadEnd): string => (end === 'merged' ? 'merged' : marks[end].word.toLowerCase())

/** A shape for each end, so that none is told by its colour alone. */
function shapeOf(end: ThreadEnd) {
  switch (end) {
    case 'failed':
      return <path d="M-4 -4L4 4M4 -4L-4 4" />
    case 'blocked':
      return <path d="M-2.5 -5V5M2.5 -5V5" />
    case 'timeout':
      return <path d="M0 -5A5 5 0 1 0 0.01 -5M0 -3V0L2 2" />
    case 'cancelled':
      return <path d="M0 -5V5" />
    default:
      return <circle r={4} className={css['bead']} />
  }
}
