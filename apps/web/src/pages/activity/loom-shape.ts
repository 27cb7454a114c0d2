import type { Thread } from '@beadloom/core/activity/loom.ts'

/** How far it takes from the branch to its lane: for the first lane, and more for each that lies further out. */
const BEND_PX = 26
const MORE_PX = 10
/** At most this part of its length. */
const MOST_BENT = 0.4
/** A bend is round, not sharp: its handles reach past its middle. */
const REACH = 0.62

export type ThreadShape = {
  /** For an SVG path. */
  d: string
  /** The level part: where a name has room. */
  y: number
  from: number
  to: number
  /** Where it ends. */
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
