import { useEffect, useLayoutEffect, useRef } from 'react'
import { marks } from '../../../components/bead/states.ts'
import { useServerNow } from '../../../feed/feed-context.tsx'
import { lanes } from '@beadloom/core/board/board-card.ts'
import type { BoardCard, Lane } from '@beadloom/core/board/board-card.ts'
import { announce } from '../../../ui/announcer.tsx'

const worthSaying: Record<Lane, boolean> = {
  queued: false,
  running: false,
  blocked: true,
  failed: true,
  timeout: true,
  open: false,
  completed: true,
}
/** Nobody can listen to more. */
const EVERY_SECONDS = 3

/**
 * Announces each move once ("bl-3 failed"). Moves within a few seconds are said together; of many, only the number. It
 * looks for moves once a second, not with each change.
 */
export function useMoveAnnouncements(all: Record<Lane, BoardCard[]>): void {
  const second = useServerNow()
  const latest = useRef(all)
  useLayoutEffect(() => {
    latest.current = all
  })
  const before = useRef({ places: new Map<string, Lane>(), lanes: null as Record<Lane, BoardCard[]> | null, quiet: 0 })
  const waiting = useRef<[string, Lane][]>([])
  useEffect(() => {
    const { places, lanes: of, quiet } = before.current
    for (const lane of lanes) {
      if (of?.[lane] === latest.current[lane]) continue
      for (const { card } of latest.current[lane]) {
        const old = places.get(card.id)
        if (old === lane) continue
        places.set(card.id, lane)
        if (old !== undefined && worthSaying[lane]) waiting.current.push([card.id, lane])
      }
    }
    before.current.lanes = latest.current
    before.current.quiet = Math.max(0, quiet - 1)
    const [first] = waiting.current
    if (first === undefined || quiet > 0) return
    const count = waiting.current.length
    announce(count === 1 ? `${first[0]} ${marks[first[1]].word.toLowerCase()}` : `${count} beads moved`)
    waiting.current = []
    before.current.quiet = EVERY_SECONDS - 1
  }, [second])
}
