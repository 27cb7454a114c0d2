import { useEffect, useState } from 'react'
import type { RefObject } from 'react'

/** Room for the outline beside the log. */
const WIDE_PX = 700

/** Whether an element is wide: a log may have a whole window, or half of one. */
export function useIsWide(element: RefObject<HTMLElement | null>): boolean {
  const [wide, setWide] = useState(true)
  useEffect(() => {
    if (!element.current) return
    const observer = new ResizeObserver(([entry]) => setWide((entry?.contentRect.width ?? 0) >= WIDE_PX))
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return wide
}
