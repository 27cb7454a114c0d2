import { useEffect, useRef } from 'react'
import { marks } from '../../components/bead/states.ts'
import { lanes } from '../../feed/lanes.ts'
import type { BoardCard, Lane } from '../../feed/lanes.ts'
import { announce } from '../../ui/announcer.tsx'

const worthSaying: readonly Lane[] = ['failed', 'blocked', 'timeout', 'completed']
/** Nobody can listen to more. */
const QUIET_MS = 3000

/**
 * A move is said once ("bl-3 failed"); what moves within the next seconds is said together, and of many only their
 * number.
 */
export function useMoveAnnouncements(all: Record<Lane, BoardCard[]>): void {
  const places = useRef<{ by: Map<string, Lane>; of: Record<Lane, BoardCard[]> | null }>({ by: new Map(), of: null })
  const waiting = useRef({
    moved: [] as [string, Lane][],
    timer: undefined as ReturnType<typeof setTimeout> | undefined,
  })
  useEffect(() => {
    const { by, of } = places.current
    for (const lane of lanes) {
      if (of?.[lane] === all[lane]) continue
      for (const { card } of all[lane]) {
        const old = by.get(card.id)
        if (old === lane) continue
        by.set(card.id, lane)
        if (old !== undefined && worthSaying.includes(lane)) waiting.current.moved.push([card.id, lane])
      }
    }
    places.current.of = all
    const say = () => {
      const { moved } = waiting.current
      const [first] = moved
      waiting.current.timer = undefined
      if (first === undefined) return
      announce(moved.length === 1 ? `${first[0]} ${marks[first[1]].word.toLowerCase()}` : `${moved.length} beads moved`)
      waiting.current.moved = []
      waiting.current.timer = setTimeout(say, QUIET_MS)
    }
    if (waiting.current.timer === undefined) say()
  }, [all])
  useEffect(() => {
    const { current } = waiting
    return () => {
      clearTimeout(current.timer)
      current.timer = undefined
    }
  }, [])
}
