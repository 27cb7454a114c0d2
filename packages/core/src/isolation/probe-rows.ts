import { HIDDEN_MARKS } from '../text/hidden-marks.ts'
import { oneLine } from '../text/one-line.ts'

/** The groups of the report: a sandboxed program's reach, its holdings and its abilities. */
export const probeGroups = ['reach', 'hold', 'do'] as const
export type ProbeGroup = (typeof probeGroups)[number]

/** `can` null: it could not be tried; absent: the row is a fact that is neither good nor bad. */
export type ProbeRow = { group: ProbeGroup; what: string; can?: boolean | null; detail: string }

/** `left`: the number of lines that are not the script's, or too many. */
export type ProbeReport = { rows: ProbeRow[]; left: number }

const MOST_ROWS = 200
const LONGEST_WHAT = 100
const LONGEST_DETAIL = 400

const answers: Record<string, Pick<ProbeRow, 'can'>> = {
  yes: { can: true },
  no: { can: false },
  '?': { can: null },
  '-': {},
}

/** The lines of `docker/sandbox-probe.sh`. Any program in the sandbox may have written them. */
export function probeRows(text: string): ProbeReport {
  const lines = text.split('\n').filter((line) => line !== '')
  const rows = lines.slice(0, MOST_ROWS).flatMap((line): ProbeRow[] => {
    const [group, what = '', answer = '', ...detail] = line.split('\t')
    const known = probeGroups.find((one) => one === group)
    if (known === undefined || !Object.hasOwn(answers, answer)) return []
    const row = { group: known, what: cut(what, LONGEST_WHAT), ...answers[answer] }
    return row.what === '' ? [] : [{ ...row, detail: cut(detail.join(' '), LONGEST_DETAIL) }]
  })
  return { rows, left: lines.length - rows.length }
}

const cut = (text: string, most: number): string => oneLine(text.slice(0, most)).replace(HIDDEN_MARKS, '')
