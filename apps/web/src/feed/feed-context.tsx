import { createContext, useContext, useEffect, useRef } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { useShallow } from 'zustand/react/shallow'
import { nothingYet } from './board-feed.ts'
import type { BoardTopic } from './board-feed.ts'
import type { Feed, LiveState } from './feed.ts'

/** After this long without the server, data is dimmed and its timers stop. */
export const STALE_MS = 10_000

export type Tick = {
  /** This browser's clock. */
  now: number
  /** The server's clock; stopped while the data is stale, so that no timer pretends to run. */
  serverNow: number
}

const FeedContext = createContext<Feed | null>(null)
export const FeedProvider = FeedContext.Provider

export function useFeed(): Feed {
  const feed = useContext(FeedContext)
  if (feed === null) throw new Error('useFeed outside of FeedProvider')
  return feed
}

export function useLive<T>(select: (state: LiveState) => T): T {
  return useStore(useFeed().store, useShallow(select))
}

export const isStale = (state: Pick<LiveState, 'link'>, now: number): boolean =>
  state.link.is !== 'live' &&
  state.link.is !== 'connecting' &&
  (state.link.is !== 'lost' || now - state.link.since > STALE_MS)

/** Runs each time the server answers again after it was away. */
export function useOnReturn(run: () => void): void {
  const live = useLive((state) => state.link.is === 'live')
  const was = useRef(live)
  const latest = useRef(run)
  useEffect(() => {
    latest.current = run
  })
  useEffect(() => {
    if (live && !was.current) latest.current()
    was.current = live
  }, [live])
}

/** Follows a topic while mounted; known data is there at once. */
function useTopic(topic: string): BoardTopic {
  const feed = useFeed()
  useEffect(() => feed.holdBoard(topic), [feed, topic])
  return useStore(feed.store, (state) => state.topics[topic] ?? nothingYet)
}

export const useHome = (): BoardTopic => useTopic('home')
export const useBoard = (project: string): BoardTopic => useTopic(`board:${project}`)

export const tickStore = createStore<Tick>(() => ({ now: 0, serverNow: 0 }))

/** Advances the time of the page. Once a second is enough for all of its timers. */
export function advanceTick(feed: Feed, now: number): void {
  const state = feed.store.getState()
  const held = tickStore.getState()
  tickStore.setState({ now, serverNow: held.now > 0 && isStale(state, now) ? held.serverNow : now + state.skew })
}

export const useServerNow = (): number => useStore(tickStore, (tick) => tick.serverNow)
export const useNow = (): number => useStore(tickStore, (tick) => tick.now)
