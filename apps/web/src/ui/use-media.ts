import { useCallback, useSyncExternalStore } from 'react'

/** Asking the browser anew in each drawing makes it work out its styles first. */
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
