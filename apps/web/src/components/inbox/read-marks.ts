import type { Notice } from './notices.ts'

/**
 * Read notices of a project: all up to a moment, and some after it. Kept in this browser. `dismissed`: left from when
 * this browser kept that, too; handed to the server once.
 */
export type ReadMarks = { upTo: number; ids: readonly string[]; dismissed?: readonly string[] }

const MOST_IDS = 200
/** At the first look, nothing older than a day is new. */
const FIRST_LOOK_MS = 24 * 3_600_000

const keyOf = (project: string) => `beadloom.inbox.${project}`
export const firstMarks = (now: number): ReadMarks => ({ upTo: now - FIRST_LOOK_MS, ids: [] })

export const isRead = ({ upTo, ids }: ReadMarks, { at, id }: Notice): boolean => at <= upTo || ids.includes(id)

export const withRead = ({ ids, ...marks }: ReadMarks, notices: readonly Notice[]): ReadMarks => ({
  ...marks,
  ids: [...new Set([...ids, ...notices.map(({ id }) => id)])].slice(-MOST_IDS),
})

/** Null if nothing (or nonsense) is stored. */
export function parseMarks(text: string | null): ReadMarks | null {
  if (text === null) return null
  try {
    const { upTo, ids, dismissed } = JSON.parse(text) as { upTo?: unknown; ids?: unknown; dismissed?: unknown }
    if (typeof upTo !== 'number' || !Array.isArray(ids)) return null
    const strings = (given: unknown[]) => given.filter((id) => typeof id === 'string').slice(-MOST_IDS)
    return { upTo, ids: strings(ids), ...(Array.isArray(dismissed) && { dismissed: strings(dismissed) }) }
  } catch {
    return null
  }
}

export function loadMarks(project: string): ReadMarks | null {
  try {
    return parseMarks(localStorage.getItem(keyOf(project)))
  } catch {
    return null
  }
}

export function saveMarks(project: string, marks: ReadMarks): void {
  try {
    localStorage.setItem(keyOf(project), JSON.stringify(marks))
  } catch {
    // Without storage, notices stay read as long as the page.
  }
}
