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

/** Fills the inbox: once with recent ends, and then with ends while the page is open. Draws nothing. */
export function InboxWatch({ project }: { project: string }) {
  const navigate = useNavigate()
  const queries = useQueryClient()
  const { view } = useBoard(project)
  const known = useKnownExecutions(project)
  const own = useHome().view?.projects.get(project)
  const live = useLive((state) => state.link.is === 'live')
  /** Later ends than this are news for desktop notifications; 0 before the first look. */
  const since = useRef(0)
  const told = useRef(new Set<string>())

  useEffect(() => shareNotices(project), [project])

  // The feed has no ends from the time when the server was out of reach: fetch them again.
  const was = useRef(live)
  useEffect(() => {
    if (live && !was.current) void queries.invalidateQueries({ queryKey: ['executions', project] })
    was.current = live
  }, [live, project, queries])

  // Dismissed notices, from here or elsewhere; fetched after every dismissal. If that fails, none count as dismissed.
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
    if (mine.length > 0) changeInbox(project, { dismiss: mine }).catch(() => {}) // dismissed here all the same
  }, [project, inbox])

  const executions = view?.executions
  // Beads at the time when an execution ends: later changes to a bead make no notice, and cause no look.
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
    // Once each: a notice that was dismissed and restored is in the inbox again, but is no news.
    const untold = [...added, ...good].filter(({ id }) => !told.current.has(id))
    for (const { id } of untold) told.current.add(id)
    const news = first ? [] : untold.filter(({ at }) => at >= since.current)
    if (news.length > 0)
      void showWebNotices(
        project,
        news,
        (of) => void navigate(of ? placeOf(project, of.place) : placeOf(project, { is: 'board' })),
      )
    // `inbox`: finds notices again that were dismissed and restored elsewhere.
  }, [project, executions, known, own, navigate, isInboxKnown, inbox])
  // A question leaves the inbox once it is answered, here or elsewhere.
  useEffect(() => {
    if (view) takeOut((one) => isSettled(one, view))
  }, [view])
  return null
}
