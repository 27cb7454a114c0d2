import type { Point } from '@beadloom/core/graph/place-beads.ts'

/** The reach, in pixels, of a line's bend if it leads against the reading direction. */
const BACK = 40

/** An edge as the `d` of an SVG path: level at both ends. */
export function pathOf(points: readonly Point[], isBack: boolean): string {
  const [first, ...rest] = points
  if (first === undefined) return ''
  let at = first
  let d = `M${first.x} ${first.y}`
  for (const next of rest) {
    const bend = isBack ? BACK : (next.x - at.x) / 2
    d +=
      next.y === at.y && !isBack
        ? `H${next.x}`
        : `C${at.x + bend} ${at.y} ${next.x - bend} ${next.y} ${next.x} ${next.y}`
    at = next
  }
  return d
}
