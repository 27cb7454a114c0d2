import { ROW_PX } from './scroll-space.ts'

/*
 * Wrapped lines are as high as they need, but the position stays a number of lines: `top` counts ROW_PX for each line,
 * whatever its height, and its fraction is the part of that line above the view. So only heights near the view must be
 * known, and a wrong guess moves only lines below it.
 */

/** Pixels of a line; at least one row. */
export type HeightOf = (line: number) => number
/** `px` of the line's own height are above the upper edge of the view. */
export type Place = { line: number; px: number }

export function placeOf(top: number, heightOf: HeightOf): Place {
  const line = Math.floor(top / ROW_PX)
  return { line, px: (top / ROW_PX - line) * heightOf(line) }
}

export const topOfPlace = ({ line, px }: Place, heightOf: HeightOf): number => (line + px / heightOf(line)) * ROW_PX

/** The place that is `px` further down (up if negative), within the log. */
export function moved(from: Place, px: number, rows: number, heightOf: HeightOf): Place {
  let { line } = from
  let rest = from.px + px
  while (rest < 0 && line > 0) rest += heightOf(--line)
  while (line < rows - 1 && rest >= heightOf(line)) rest -= heightOf(line++)
  return { line, px: Math.min(Math.max(0, rest), heightOf(line)) }
}

/** The `top` at which the last line touches the lower edge; 0 if everything fits. */
export function endTop(rows: number, viewPx: number, heightOf: HeightOf): number {
  if (rows === 0) return 0
  return topOfPlace(moved({ line: rows, px: 0 }, -viewPx, rows, heightOf), heightOf)
}

/** The line after the last one that is at least partly visible. */
export function lastFrom(place: Place, viewPx: number, rows: number, heightOf: HeightOf): number {
  let line = place.line
  for (let px = -place.px; px < viewPx && line < rows; line++) px += heightOf(line)
  return line
}
