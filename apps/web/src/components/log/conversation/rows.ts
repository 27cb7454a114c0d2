import type { Step } from '@beadloom/core/conversation/step.ts'
import type { Window } from './conversation-window.ts'
import type { ThreadHead } from './thread-head.tsx'

/** A row of the conversation's list. */
export type Row =
  | { is: 'step'; key: string; step: Step }
  | { is: 'head'; key: string; head: ThreadHead }
  /** Lines not read yet: a click, or coming near, reads them. */
  | { is: 'unread'; key: 'above' | 'below'; lines: number }
  | { is: 'working'; key: 'working' }

type Parts = {
  session: string
  steps: readonly Step[]
  window: Window
  lines: number
  /** The session still prints. */
  working: boolean
  /** All sessions of the same work, including this one; null if there are no others. */
  threads: readonly ThreadHead[] | null
}

/** The steps of one session, between the heads of the others. `end`: the row after its last one. */
export function rowsOf({ session, steps, window: { from, to }, lines, working, threads }: Parts): {
  rows: Row[]
  begin: number
  end: number
} {
  const heads = (threads ?? []).map((head): Row => ({ is: 'head', key: `head ${head.key}`, head }))
  const own = (threads ?? []).findIndex((head) => head.session === session) + 1
  const rows: Row[] = heads.slice(0, own)
  const begin = rows.length
  if (from > 0 && steps.length > 0) rows.push({ is: 'unread', key: 'above', lines: from })
  for (const step of steps) rows.push({ is: 'step', key: `${step.is}${step.first}`, step })
  if (to !== null && steps.length > 0) rows.push({ is: 'unread', key: 'below', lines: Math.max(0, lines - to) })
  if (working && to === null) rows.push({ is: 'working', key: 'working' })
  const end = rows.length
  return { rows: [...rows, ...heads.slice(own)], begin, end }
}
