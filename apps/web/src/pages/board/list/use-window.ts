import { useCallback, useLayoutEffect, useRef, useState } from 'react'

export type Wish = {
  count: number
  /** Height of each row with the gap below it, in pixels. */
  step: number
  /** Rows drawn above and below the visible ones. */
  beyond: number
  /** Height of a sticky head that hides rows. */
  head?: number
}

export type RowWindow = {
  /** For the scrolling element. */
  ref: (element: HTMLElement | null) => void
  scroller: () => HTMLElement | null
  /** The first row drawn, and the one after the last. */
  from: number
  to: number
  /** Scrolls as little as needed to show this row. */
  show(row: number): void
}

/**
 * The height drawn in a new list's first frame, and added in each frame after it until all visible rows are there:
 * drawing seven columns at once would block the page for noticeably long.
 */
const GROWS_BY_PX = 240

/**
 * The visible ones of many rows. All rows have the same height and are in the normal flow, so nothing is measured, and
 * a new row at the top moves the others without touching them.
 */
export function useWindow({ count, step, beyond, head = 0 }: Wish): RowWindow {
  const [element, ref] = useState<HTMLElement | null>(null)
  const more = Math.ceil(GROWS_BY_PX / step)
  const drawn = useRef(more)
  const [seen, setSeen] = useState({ first: 0, rows: more })
  useLayoutEffect(() => {
    if (element === null) return
    let frame = 0
    const look = () => {
      const first = Math.max(0, Math.floor((element.scrollTop - head) / step))
      const fit = Math.ceil(element.clientHeight / step) + 1
      const rows = Math.min(fit, drawn.current)
      setSeen((old) => (old.first === first && old.rows === rows ? old : { first, rows }))
      if (rows === fit) return
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(() => {
        drawn.current += more
        look()
      })
    }
    look()
    const sizes = new ResizeObserver(look)
    sizes.observe(element)
    element.addEventListener('scroll', look, { passive: true })
    return () => {
      cancelAnimationFrame(frame)
      sizes.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [element, step, more, head])

  const latest = useRef(element)
  useLayoutEffect(() => {
    latest.current = element
  }, [element])
  const scroller = useCallback(() => latest.current, [])
  const show = useCallback(
    (row: number) => {
      const at = latest.current
      if (at === null) return
      const top = row * step
      if (top < at.scrollTop) at.scrollTop = top
      else if (top + step + head > at.scrollTop + at.clientHeight) at.scrollTop = top + step + head - at.clientHeight
    },
    [step, head],
  )
  // There may be fewer rows than the scroll position: the browser scrolls back only after drawing them.
  const first = Math.min(seen.first, Math.max(0, count - seen.rows))
  return { ref, scroller, from: Math.max(0, first - beyond), to: Math.min(count, first + seen.rows + beyond), show }
}
