import type { Thread, ThreadEnd } from '@beadloom/core/activity/loom.ts'
import { Link } from '@tanstack/react-router'
import css from './loom-picture.module.css'
import { threadOf } from './loom-shape.ts'
import { marks, type Tone } from '../../components/bead/states.ts'
import tones from '../../components/bead/tones.module.css'
import { shown } from '../../ui/text/hostile-text.ts'

const LETTER_PX = 6.3

const toneOf: Record<ThreadEnd, Tone> = {
  merged: 'completed',
  failed: 'failed',
  blocked: 'blocked',
  timeout: 'timeout',
  cancelled: 'queued',
  running: 'running',
}

type Props = { project: string; thread: Thread; middle: number; lanePx: number; isNamed: boolean }

/** A thread leaves the branch, runs along its lane, and comes back if its work was merged. Later ones lie above. */
export function LoomThread({ project, thread, middle, lanePx, isNamed }: Props) {
  const { item, end } = thread
  const { d } = threadOf(thread, middle, lanePx)
  return (
    <Link
      to="/p/$project/b/$bead"
      params={{ project, bead: item.bead }}
      tabIndex={-1}
      className={`${css['thread']} ${isNamed ? '' : css['thin']} ${tones[toneOf[end]]}`}
    >
      <title>{`${item.bead} ${shown(item.title)}: ${wordOf(end)}`}</title>
      <path d={d} className={css['touch']} />
      <path d={d} className={css['under']} />
      <path
        d={d}
        className={`${css['line']} ${end === 'running' ? css['live'] : ''}`}
        stroke={`url(#loom-${toneOf[end]})`}
      />
    </Link>
  )
}

/** A knot on the branch, or a sign where the thread stopped. */
export function LoomEnd({ thread, middle, lanePx, isNamed }: Omit<Props, 'project'>) {
  const { end } = thread
  const { last } = threadOf(thread, middle, lanePx)
  return (
    <g className={`${css['mark']} ${tones[toneOf[end]]}`}>
      {end === 'merged' ? (
        <circle cx={last.x} cy={last.y} r={isNamed ? 6 : 3.5} className={css['bead']} />
      ) : (
        <EndMark end={end} x={last.x} y={last.y} isSmall={!isNamed} />
      )}
    </g>
  )
}

/** As much of id and title as fits; nothing if the id does not fit. */
export function LoomName({ project, thread, middle, lanePx }: Omit<Props, 'isNamed'>) {
  const { item } = thread
  const { y, from, to } = threadOf(thread, middle, lanePx)
  const title = shown(item.title)
  const room = Math.floor((to - from) / LETTER_PX) - item.bead.length - 1
  if (room < 0) return null
  return (
    <Link to="/p/$project/b/$bead" params={{ project, bead: item.bead }} tabIndex={-1} className={css['thread']}>
      <text x={from} y={y - 8} className={css['name']}>
        <tspan className={css['id']}>{item.bead}</tspan>
        {room > 6 && <tspan dx={6}>{title.length <= room ? title : `${title.slice(0, room - 1).trimEnd()}…`}</tspan>}
      </text>
    </Link>
  )
}

const wordOf = (end: ThreadEnd): string => (end === 'merged' ? 'merged' : marks[end].word.toLowerCase())

type MarkProps = { end: ThreadEnd; x: number; y: number; isSmall: boolean }

/** A shape for each end, so that colour is not the only difference. */
export const EndMark = ({ end, x, y, isSmall }: MarkProps) => (
  <g className={css['end']} transform={`translate(${x} ${y})${isSmall ? ' scale(0.7)' : ''}`}>
    {end !== 'running' && end !== 'cancelled' && <circle r={8} className={css['ground']} />}
    {shapeOf(end)}
  </g>
)

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
    case 'merged':
    case 'running':
      return <circle r={5} className={css['bead']} />
  }
}
