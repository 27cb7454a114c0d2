export const ROW_PX = 20
/**
 * Browsers limit the height of scrolled content (16.7 million pixels at two device pixels, less in Firefox). Up to this
 * height, scrolling is one to one; beyond it the thumb is a proportion, and wheel and keys move by lines.
 */
export const MOST_PX = 8_000_000

/**
 * A list of rows of equal height, seen through a view. `top` is the true position in pixels, whatever the thumb shows.
 */
export type Space = {
  rows: number
  viewPx: number
  /** For wrapped lines, which are higher than a row: the last possible `top`, which depends on their heights. */
  end?: number
}

export const isScaled = ({ rows, end }: Space): boolean => end !== undefined || rows * ROW_PX > MOST_PX
export function spacerPx({ rows, viewPx, end }: Space): number {
  const px = Math.min(rows * ROW_PX, MOST_PX)
  return end === undefined ? px : end > 0 ? px + viewPx : 0
}
export const lastTop = ({ rows, viewPx, end }: Space): number => end ?? Math.max(0, rows * ROW_PX - viewPx)
export const clampTop = (space: Space, top: number): number => Math.min(Math.max(0, top), lastTop(space))

const lastScroll = (space: Space): number => Math.max(0, spacerPx(space) - space.viewPx)

export function topOf(space: Space, scroll: number): number {
  if (!isScaled(space)) return clampTop(space, scroll)
  return clampTop(space, (scroll / Math.max(1, lastScroll(space))) * lastTop(space))
}

export function scrollOf(space: Space, top: number): number {
  if (!isScaled(space)) return clampTop(space, top)
  return (clampTop(space, top) / Math.max(1, lastTop(space))) * lastScroll(space)
}

/** Rows that are at least partly visible: [first, last). */
export function visibleRows(space: Space, top: number): { first: number; last: number } {
  const first = Math.floor(top / ROW_PX)
  return { first, last: Math.min(space.rows, Math.ceil((top + space.viewPx) / ROW_PX)) }
}
