import { useEffect, useState } from 'react'

/**
 * For the element that holds the tabs: if not all tabs fit, the chosen one stays in view, even when others get wider
 * later. Scrolls only the tabs, never the page.
 */
export function useTabInSight(tab: string): (tabs: HTMLElement | null) => void {
  const [tabs, setTabs] = useState<HTMLElement | null>(null)
  useEffect(() => {
    if (tabs === null) return
    const look = () => {
      const room = tabs.getBoundingClientRect()
      const chosen = tabs.querySelector('[aria-selected="true"]')?.getBoundingClientRect()
      if (chosen === undefined) return
      if (chosen.right > room.right) tabs.scrollLeft += chosen.right - room.right
      else if (chosen.left < room.left) tabs.scrollLeft += chosen.left - room.left
    }
    const sizes = new ResizeObserver(look)
    for (const one of tabs.children) sizes.observe(one)
    return () => sizes.disconnect()
  }, [tabs, tab])
  return setTabs
}
