import { parseReviewSearch, type ReviewSearch } from '../../components/review/review-search.ts'

const tabs = ['output', 'plan', 'diff', 'attempts', 'review', 'info'] as const
export type BeadTab = (typeof tabs)[number]
/** What of a bead's page is open, in its address. */
export type BeadSearch = ReviewSearch & {
  session?: string | undefined
  /** Line number from 1, as the gutter shows it. */
  line?: number | undefined
  /** The last line of a range that begins with `line`. */
  to?: number | undefined
  tab?: BeadTab | undefined
  /** The file of the diff that is open. */
  file?: string | undefined
  /** The line of that file, as it is now. */
  at?: number | undefined
  /** The attempt whose change is shown, against the one before; without it, the whole branch. */
  range?: number | undefined
  /** The attempt that is shown by itself, with its log and its change. */
  attempt?: number | undefined
  /** The commit whose change is shown, by the beginning of its name. */
  commit?: string | undefined
  /** The version of the plan; without it, the one that counts. */
  plan?: number | undefined
  /** The phase, subtask or session that is chosen in the plan; without it, what runs. */
  item?: string | undefined
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined
const lineNumber = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : undefined

/** Hostile like every address: what does not fit is left out. */
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
