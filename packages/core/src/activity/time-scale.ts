export type Busy = { from: number; to: number }

/** A stretch of time in which something ran, with its place. */
export type Stretch = Busy & { x: number; width: number }
export type TimeScale = { width: number; stretches: Stretch[]; xOf: (at: number) => number }

/** The width of a pause, however long; its duration is shown in it. */
export const PAUSE_PX = 56
/** A pause longer than this, or than this many usual pieces of work in a row, is drawn short. */
const LONG_PAUSE_MS = 10 * 60_000
const LONG_PAUSE_PIECES = 8
const SHORTEST_PAUSE_MS = 60_000
const WIDEST_PX = 8_000
/** The least width of a usual piece of work: its id has to be readable on it. */
export const USUAL_PX = 72
const NARROWEST_PX = 4

/**
 * Draws the times in which something ran in proportion, and the pauses between them short. The scale is at least
 * `least` pixels wide if anything ran, and wider if the median piece would be narrower than `usual`.
 */
export function timeScale(busy: readonly Busy[], least: number, usual = USUAL_PX, pause = PAUSE_PX): TimeScale {
  const middle = busy.map(({ from, to }) => to - from).sort((a, b) => a - b)[Math.floor(busy.length / 2)] ?? 0
  const long = Math.min(LONG_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, LONG_PAUSE_PIECES * middle))
  const joined = join(busy, long)
  const whole = joined.reduce((sum, { from, to }) => sum + to - from, 0)
  const pauses = Math.max(0, joined.length - 1) * PAUSE_PX
  const room = Math.max(least - pauses, NARROWEST_PX * joined.length)
  const wished = middle <= 0 ? 0 : usual / middle
  const perMs = whole <= 0 ? 0 : Math.min(Math.max(room / whole, wished), Math.max(WIDEST_PX - pauses, room) / whole)
  const stretches: Stretch[] = []
  let x = 0
  for (const { from, to } of joined) {
    const width = Math.max(NARROWEST_PX, (to - from) * perMs)
    stretches.push({ from, to, x, width })
    x += width + pause
  }
  const last = stretches.at(-1)
  return { width: last ? last.x + last.width : 0, stretches, xOf: (at) => placeOf(stretches, at) }
}

/** Joins pieces that overlap or have a pause shorter than `long` between them. In order of time. */
function join(busy: readonly Busy[], long: number): Busy[] {
  const joined: Busy[] = []
  for (const { from, to } of busy.toSorted((a, b) => a.from - b.from)) {
    const last = joined.at(-1)
    if (last !== undefined && from - last.to < long) last.to = Math.max(last.to, to)
    else joined.push({ from, to: Math.max(from, to) })
  }
  return joined
}

function placeOf(stretches: readonly Stretch[], at: number): number {
  let [low, high] = [0, stretches.length - 1]
  while (low < high) {
    const half = Math.ceil((low + high) / 2)
    if ((stretches[half]?.from ?? 0) <= at) low = half
    else high = half - 1
  }
  const stretch = stretches[low]
  if (stretch === undefined) return 0
  const part = stretch.to === stretch.from ? 0 : (at - stretch.from) / (stretch.to - stretch.from)
  return stretch.x + Math.min(1, Math.max(0, part)) * stretch.width
}
