import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { learnDismissed, putNotices, takeOut } from './inbox-store.ts'
import { placeOf } from './notice-place.ts'
import { shareNotices } from './notice-tabs.ts'
import { showWebNotices } from './web-notices.ts'
import { changeInbox, getInbox } from '../../api/endpoints.ts'
import { isSettled, mergedNotice, noticeOf, projectNotices } from '../../components/inbox/notices.ts'
import { tickStore, useBoard, useHome, useLive } from '../../feed/feed-context.tsx'
import { useKnownExecutions } from '../../components/bead/known-executions.ts'

/** Fills the inbox: with what ended lately, once, and with what ends while the page is open. Shows nothing itself. */
export function InboxWatch({ project }: { project: string }) {
  const navigate = useNavigate()
  const queries = useQueryClient()
  const { view } = useBoard(project)
  const known = useKnownExecutions(project)
  const own = useHome().view?.projects.get(project)
  const live = useLive((state) => state.link.is === 'live')
  /** From when on what ends is news for the system's notices; 0 before the first look. */
  const since = useRef(0)
  const told = useRef(new Set<string>())

  useEffect(() => shareNotices(project), [project])

  // What ended while the server was out of reach is not in the feed: it is asked for again.
  const was = useRef(live)
  useEffect(() => {
    if (live && !was.current) void queries.invalidateQueries({ queryKey: ['executions', project] })
    was.current = live
  }, [live, project, queries])

  // What was dismissed, here or elsewhere; asked again whenever somebody does. Without an answer nothing is.
  const dismissals = own?.dismissals
  const { data: inbox, isError } = useQuery({
    queryKey: ['inbox', project, dismissals],
    queryFn: ({ signal }) => getInbox(project, signal),
    enabled: dismissals !== undefined,
    placeholderData: (old, query) => (query?.queryKey[1] === project ? old : undefined),
    staleTime: Infinity,
  })
  const isInboxKnown = inbox !== undefined || isError || (own !== undefined && dismissals === undefined)
  useEffect(() => {
    if (inbox === undefined) return
    const mine = learnDismissed(project, inbox.dismissed, tickStore.getState().serverNow)
    if (mine.length > 0) changeInbox(project, { dismiss: mine }).catch(() => {}) // they are known here all the same
  }, [project, inbox])

  const executions = view?.executions
  // As they are when an execution ends: what happens to a bead later is no notice, and is not looked at.
  const beads = useRef(view?.beads)
  useEffect(() => {
    beads.current = view?.beads
  })
  useEffect(() => {
    if (executions === undefined || own === undefined || !isInboxKnown) return
    const now = tickStore.getState().serverNow
    const ended = new Map([...known, ...executions])
    const feed = { beads: beads.current ?? new Map(), executions }
    const found = [...ended.values()]
      .flatMap((one) => noticeOf(one, beads.current?.get(one.bead)) ?? [])
      .filter((one) => !isSettled(one, feed))
    const added = putNotices(project, [...found, ...projectNotices(own, now)], now)
    const first = since.current === 0
    if (first) since.current = now
    const good = [...ended.values()].flatMap((one) => mergedNotice(one) ?? [])
    // Once each: one that somebody dismissed and took back is in the inbox again, and no news.
    const untold = [...added, ...good].filter(({ id }) => !told.current.has(id))
    for (const { id } of untold) told.current.add(id)
    const news = first ? [] : untold.filter(({ at }) => at >= since.current)
    if (news.length > 0)
      void showWebNotices(
        project,
        news,
        (of) => void navigate(of ? placeOf(project, of.place) : placeOf(project, { is: 'board' })),
      )
    // `inbox`: what was dismissed elsewhere and taken back there is found again.
  }, [project, executions, known, own, navigate, isInboxKnown, inbox])
  // Whoever answers, here or elsewhere: the question leaves the inbox.
  useEffect(() => {
    if (view) takeOut((one) => isSettled(one, view))
  }, [view])
  return null
}
