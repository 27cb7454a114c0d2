import { Circle, CircleDashed, RotateCw, type LucideIcon } from 'lucide-react'
import { useEffect } from 'react'
import { isStale, useLive, useNow } from '../../feed/feed-context.tsx'
import type { LiveState } from '../../feed/feed.ts'
import { wallClockText } from '../../ui/text/time-text.ts'

export type Connection = {
  tone: 'live' | 'waiting' | 'off'
  icon: LucideIcon
  text: string
  /** For narrow places; '' if the icon is enough. */
  short: string
  /** A longer sentence for the hint. */
  about: string
}

/** The words of the connection chip. Pure, so that every state of it can be tested. */
export function describeConnection(state: LiveState, now: number, online: boolean): Connection {
  const { link, lastFrameAt, newBuild } = state
  if (link.is === 'outdated' || newBuild)
    return {
      tone: 'waiting',
      icon: RotateCw,
      text: 'new version, reload',
      short: 'reload',
      about: 'The server was updated. Reload this page to get the new dashboard.',
    }
  if (link.is === 'signed-out')
    return {
      tone: 'off',
      icon: Circle,
      text: 'not signed in',
      short: 'not signed in',
      about: 'Open the link with ?token=… that the server printed, to sign this browser in.',
    }
  if (link.is === 'connecting')
    return {
      tone: 'waiting',
      icon: CircleDashed,
      text: 'connecting',
      short: 'connecting',
      about: 'Connecting to the server.',
    }
  if (link.is === 'live') {
    const age = now - lastFrameAt
    return {
      tone: 'live',
      icon: Circle,
      text: age > 2000 ? `live ${Math.floor(age / 1000)} s` : 'live',
      short: '',
      about: 'Connected. The number is the age of the last message.',
    }
  }
  if (!online)
    return {
      tone: 'off',
      icon: Circle,
      text: 'offline, retrying',
      short: 'offline',
      about: `This computer is offline. Data as of ${wallClockText(link.since)}.`,
    }
  return {
    tone: 'waiting',
    icon: CircleDashed,
    text: `reconnecting, data as of ${wallClockText(link.since)}`,
    short: 'no server',
    about: `No answer from the server (try ${link.attempt}). This page shows data from ${wallClockText(link.since)}.`,
  }
}

export function useConnection(): Connection {
  const now = useNow()
  // The age changes with every message, but its text only once a second.
  return useLive((state) => describeConnection(state, now, navigator.onLine))
}

/**
 * Open dialogs, and forms of the page while a reload would lose their input: they have the attribute for that time. Text
 * that `draft-store.ts` keeps needs no mark.
 */
const UNSAVED = 'dialog[open],[data-unsaved]'

/** Marks the page while its data is stale, and loads a new version while the page is hidden. */
export function useStaleMark(): void {
  const now = useNow()
  const stale = useLive((state) => isStale(state, now))
  useEffect(() => {
    document.documentElement.toggleAttribute('data-stale', stale)
  }, [stale])
  const outdated = useLive((state) => state.newBuild)
  useEffect(() => {
    if (!outdated) return
    const reload = () => {
      if (document.hidden && document.querySelector(UNSAVED) === null) location.reload()
    }
    reload()
    document.addEventListener('visibilitychange', reload)
    return () => document.removeEventListener('visibilitychange', reload)
  }, [outdated])
}
