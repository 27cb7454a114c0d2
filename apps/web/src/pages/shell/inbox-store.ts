import { createStore } from 'zustand/vanilla'
import { newestFirst, type Notice } from '../../components/inbox/notices.ts'
import {
  firstMarks,
  isDismissed,
  isRead,
  loadMarks,
  saveMarks,
  withDismissed,
  withRead,
  type ReadMarks,
} from '../../components/inbox/read-marks.ts'

/** The inbox of the project that is open. */
export type Inbox = { project: string | null; notices: readonly Notice[]; marks: ReadMarks }

export const inboxStore = createStore<Inbox>(() => ({ project: null, notices: [], marks: firstMarks(0) }))

/**
 * Puts in what is known now and returns what is new. One that was there keeps its time: trouble that has none of its own
 * got the moment in which it was seen first. What the server has forgotten stays until the page is loaded again.
 */
export function putNotices(project: string, found: readonly Notice[], now: number): Notice[] {
  const before = inboxStore.getState()
  const same = before.project === project
  const known = new Map(same ? before.notices.map((one) => [one.id, one]) : [])
  const marks = same ? before.marks : (loadMarks(project) ?? firstMarks(now))
  const added = found.filter((one) => !known.has(one.id) && !isDismissed(marks, one))
  if (same && added.length === 0) return []
  const notices = newestFirst([...known.values(), ...added])
  inboxStore.setState({ project, notices, marks })
  return added.filter((one) => notices.includes(one))
}

/** Takes out what has been settled or dismissed; one that was settled is never put in again by its caller. */
export function takeOut(gone: (notice: Notice) => boolean): void {
  const { notices } = inboxStore.getState()
  const left = notices.filter((one) => !gone(one))
  if (left.length < notices.length) inboxStore.setState({ notices: left })
}

export function markRead(notices: readonly Notice[]): void {
  const { project, marks } = inboxStore.getState()
  if (project === null) return
  const next = withRead(marks, notices)
  inboxStore.setState({ marks: next })
  saveMarks(project, next)
}

/** For good, in this browser. */
export function dismiss(notices: readonly Notice[]): void {
  const { project, marks } = inboxStore.getState()
  if (project === null) return
  const next = withDismissed(withRead(marks, notices), notices)
  const ids = new Set(notices.map(({ id }) => id))
  inboxStore.setState({ marks: next })
  takeOut(({ id }) => ids.has(id))
  saveMarks(project, next)
}

export const unreadOf = ({ notices, marks }: Inbox): Notice[] => notices.filter((one) => !isRead(marks, one))
