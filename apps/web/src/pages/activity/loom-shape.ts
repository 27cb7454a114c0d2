import type { Thread } from '@beadloom/core/activity/loom.ts'

/** Pixels from the branch to the first lane, along the branch; each further lane takes more. */
const BEND_PX = 26
const MORE_PX = 10
/** A bend takes at most this part of the thread's length. */
const MOST_BENT = 0.4
/** Makes bends round: their handles reach past their middle. */
const REACH = 0.62

export type ThreadShape = {
  /** Path data of the SVG. */
  d: string
  /** The level part, with room for a name. */
  y: number
  from: number
  to: number
  /** The end of the thread. */
  last: { x: number; y: number }
}

/** The curve of a thread, in pixels. */
export function threadOf({ from, to, lane, end }: Thread, middle: number, lanePx: number): ThreadShape {
  const y = middle - lane * lanePx
  const bend = Math.min(BEND_PX + MORE_PX * (Math.abs(lane) - 1), (to - from) * MOST_BENT)
  const out = from + bend
  const back = end === 'merged' ? to - bend : to
  const leaves = `M${from} ${middle}C${from + bend * REACH} ${middle} ${out - bend * REACH} ${y} ${out} ${y}H${back}`
  const comes = end === 'merged' ? `C${back + bend * REACH} ${y} ${to - bend * REACH} ${middle} ${to} ${middle}` : ''
  return {
    d: `${leaves}${comes}`,
    y,
    from: out,
    to: back - (end === 'merged' ? 0 : 10),
    last: { x: to, y: end === 'merged' ? middle : y },
  }
}
