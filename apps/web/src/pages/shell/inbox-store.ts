import { createStore } from 'zustand/vanilla'
import { newestFirst, type Notice } from '../../components/inbox/notices.ts'
import {
  firstMarks,
  isRead,
  loadMarks,
  saveMarks,
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
  const added = found.filter(({ id }) => !known.has(id))
  if (same && added.length === 0) return []
  const notices = newestFirst([...known.values(), ...added])
  const marks = same ? before.marks : (loadMarks(project) ?? firstMarks(now))
  inboxStore.setState({ project, notices, marks })
  return added.filter((one) => notices.includes(one))
}

export function markRead(notices: readonly Notice[]): void {
  const { project, marks } = inboxStore.getState()
  if (project === null) return
  const next = withRead(marks, notices)
  inboxStore.setState({ marks: next })
  saveMarks(project, next)
}

export const unreadOf = ({ notices, marks }: Inbox): Notice[] => notices.filter((one) => !isRead(marks, one))
