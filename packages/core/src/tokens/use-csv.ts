import type { TokenUseRow } from '../api/budgets/token-use-api.ts'
import { HIDDEN_MARKS } from '../text/hidden-marks.ts'
import { oneLine } from '../text/one-line.ts'

const head = [
  'day',
  'bead',
  'kind',
  'phase',
  'agent',
  'sub_agent',
  'model',
  'calls',
  'calls_estimated',
  'input_tokens',
  'cached_tokens',
  'output_tokens',
  'reasoning_tokens',
  'cost',
  'currency',
  'tokens_without_price',
] as const

/** The first line of a file of use. */
export const csvHead = `${head.join(',')}\r\n`

/**
 * One line of the file (RFC 4180). An unknown value is an empty cell and never 0: money without a price, the number of
 * calls if they were not counted yet, cached and reasoning tokens if the endpoint does not tell them.
 */
export function csvLine(row: TokenUseRow, currency: string): string {
  const { costMicros } = row
  const cells = [
    textCell(row.day),
    textCell(row.bead),
    textCell(row.kind),
    row.phase === null ? '' : String(row.phase),
    textCell(row.preset ?? ''),
    textCell(row.agent ?? ''),
    textCell(row.model),
    row.calls === 0 ? '' : String(row.calls),
    row.calls === 0 ? '' : String(row.estimated),
    String(row.input),
    known(row.cached),
    String(row.output),
    known(row.reasoning),
    costMicros === null ? '' : (costMicros / 1e6).toFixed(6),
    costMicros === null ? '' : textCell(currency),
    String(row.unpriced),
  ]
  return `${cells.join(',')}\r\n`
}

const known = (count: number | null): string => (count === null ? '' : String(count))

// Spreadsheets take a cell with such a beginning for a formula, also in full-width forms and after spaces. A program
// that splits at semicolons or tabs creates further beginnings.
const FORMULA = /(^|[,;|])(\s*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g

/**
 * A name that an agent, a repository or an endpoint has chosen, so that no spreadsheet calculates with it: an
 * apostrophe in front of such a beginning marks text there.
 */
export function textCell(text: string): string {
  const plain = oneLine(text.replace(HIDDEN_MARKS, '\ufffd')).replace(FORMULA, "$1'$2")
  return /[",;|\s]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}
