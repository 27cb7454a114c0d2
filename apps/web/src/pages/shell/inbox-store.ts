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

/** The inbox of the open project. `dismissed`: by anybody, in any browser. */
export type Inbox = {
  project: string | null
  notices: readonly Notice[]
  marks: ReadMarks
  dismissed: ReadonlySet<string>
}

const nothing: ReadonlySet<string> = new Set()
export const inboxStore = createStore<Inbox>(() => ({
  project: null,
  notices: [],
  marks: firstMarks(0),
  dismissed: nothing,
}))

/**
 * Adds current notices and returns the new ones. Known ones keep their time: trouble without a time of its own got the
 * time when it was first seen. A notice that the server has forgotten stays until the page reloads.
 */
export function putNotices(project: string, found: readonly Notice[], now: number): Notice[] {
  const before = inboxStore.getState()
  const same = before.project === project
  const known = new Map(same ? before.notices.map((one) => [one.id, one]) : [])
  const marks = same ? before.marks : (loadMarks(project) ?? firstMarks(now))
  const dismissed = same ? before.dismissed : nothing
  // Trouble that is over disappears by itself; other notices are over when their beads continue.
  const there = new Set(found.map(({ id }) => id))
  let isOver = false
  for (const { id, standing } of known.values()) if (standing && !there.has(id)) isOver = known.delete(id)
  const added = found.filter(({ id }) => !known.has(id) && !dismissed.has(id))
  if (same && added.length === 0 && !isOver) return []
  const notices = newestFirst([...known.values(), ...added])
  inboxStore.setState({ project, notices, marks, dismissed })
  return added.filter((one) => notices.includes(one))
}

/** Removes notices that were settled or dismissed; the caller never adds a settled one again. */
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

/**
 * Applies the server's list: removes what was dismissed anywhere. Returns, once, those dismissed only in this browser.
 */
export function learnDismissed(project: string, names: readonly string[], now: number): string[] {
  const before = inboxStore.getState()
  const same = before.project === project
  const { dismissed: own = [], ...marks } = same ? before.marks : (loadMarks(project) ?? firstMarks(now))
  const dismissed = new Set([...names, ...own])
  inboxStore.setState({ project, marks, dismissed, notices: same ? before.notices : [] })
  takeOut(({ id }) => dismissed.has(id))
  if (own.length > 0) saveMarks(project, marks)
  return own.filter((name) => !names.includes(name))
}

/** Takes effect here at once; the caller tells the server. */
export function dismiss(notices: readonly Notice[]): void {
  const { dismissed } = inboxStore.getState()
  const ids = new Set(notices.map(({ id }) => id))
  inboxStore.setState({ dismissed: new Set([...dismissed, ...ids]) })
  takeOut(({ id }) => ids.has(id))
}

/** Puts notices back in their places. */
export function restore(notices: readonly Notice[]): void {
  const { dismissed, notices: left } = inboxStore.getState()
  const ids = new Set(notices.map(({ id }) => id))
  inboxStore.setState({
    dismissed: new Set([...dismissed].filter((id) => !ids.has(id))),
    notices: newestFirst([...left.filter(({ id }) => !ids.has(id)), ...notices]),
  })
}

export const unreadOf = ({ notices, marks }: Pick<Inbox, 'notices' | 'marks'>): Notice[] =>
  notices.filter((one) => !isRead(marks, one))
