import { parseReviewSearch, type ReviewSearch } from '../../components/review/review-search.ts'

const tabs = ['output', 'plan', 'diff', 'attempts', 'review', 'info'] as const
export type BeadTab = (typeof tabs)[number]
/** The open parts of a bead's page, as in its address. */
export type BeadSearch = ReviewSearch & {
  session?: string | undefined
  /** Line number from 1, as in the gutter. */
  line?: number | undefined
  /** The last line of a range that begins with `line`. */
  to?: number | undefined
  tab?: BeadTab | undefined
  /** The open file of the diff. */
  file?: string | undefined
  /** The line of that file, after the change. */
  at?: number | undefined
  /** The attempt whose changes are shown, compared to the one before; without it, the whole branch. */
  range?: number | undefined
  /** The attempt shown by itself, with its log and its changes. */
  attempt?: number | undefined
  /** The commit whose changes are shown, by the start of its hash. */
  commit?: string | undefined
  /** The version of the plan; without it, the one in effect. */
  plan?: number | undefined
  /** The phase, subtask or session selected in the plan; without it, the running one. */
  item?: string | undefined
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined
const lineNumber = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : undefined

/** The address is hostile, like every address: parts that do not fit are dropped. */
export const parseBeadSearch = (search: Record<string, unknown>): BeadSearch => ({
  session: text(search['session']),
  line: lineNumber(search['line']),
  to: lineNumber(search['to']),
  tab: tabs.find((tab) => tab === search['tab']),
  file: text(search['file']),
  at: lineNumber(search['at']),
  range: lineNumber(search['range']),
  attempt: lineNumber(search['attempt']) || undefined,
  commit: text(search['commit']),
  plan: lineNumber(search['plan']) || undefined,
  item: text(search['item']),
  ...parseReviewSearch(search),
})
