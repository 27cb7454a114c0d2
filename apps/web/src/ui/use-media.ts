import { useCallback, useSyncExternalStore, useEffect, useState, type RefObject } from 'react'

/** Kept, because a new query in each render makes the browser compute styles first. */
const known = new Map<string, MediaQueryList>()

function mediaOf(query: string): MediaQueryList {
  const media = known.get(query) ?? matchMedia(query)
  known.set(query, media)
  return media
}

export function useMedia(query: string): boolean {
  const follow = useCallback(
    (changed: () => void) => {
      const media = mediaOf(query)
      media.addEventListener('change', changed)
      return () => media.removeEventListener('change', changed)
    },
    [query],
  )
  return useSyncExternalStore(follow, () => mediaOf(query).matches)
}

/** The width of an element in pixels; 0 until it is known. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0)
  useEffect(() => {
    if (!element.current) return
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0))
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return width
}

/** Leaves room for the outline beside the log. */
const WIDE_PX = 700

/** Whether an element is at least this wide: a log may have a whole window, or half of one. */
export function useIsWide(element: RefObject<HTMLElement | null>, pixels = WIDE_PX): boolean {
  const [wide, setWide] = useState(true)
  useEffect(() => {
    if (!element.current) return
    const observer = new ResizeObserver(([entry]) => setWide((entry?.contentRect.width ?? 0) >= pixels))
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element, pixels])
  return wide
}
