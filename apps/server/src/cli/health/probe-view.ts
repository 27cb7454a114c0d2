import type { ProbeGroup, ProbeReport, ProbeRow } from '@beadloom/core/isolation/probe-rows.ts'
import { probeGroups } from '@beadloom/core/isolation/probe-rows.ts'
import { table } from '../terminal/output.ts'
import type { Paint } from '../terminal/paint.ts'

const INDENT = '  '
const titles: Record<ProbeGroup, string> = { reach: 'It can reach', hold: 'It holds', do: 'It can do' }

/** A table for each group. A "yes" is red: it counts against a sandbox. */
export function probeText({ rows, left }: ProbeReport, columns: number, paint: Paint): string {
  const sections = probeGroups.map((group) => {
    const lines = rows.filter((row) => row.group === group).map((row) => [answerOf(row, paint), row.what, row.detail])
    return [
      titles[group],
      ...table(lines, columns - INDENT.length)
        .split('\n')
        .map((line) => `${INDENT}${line}`),
    ].join('\n')
  })
  return [
    ...sections,
    ...(left > 0 ? [`${left} more lines were left out: too many, or not from the script.`] : []),
  ].join('\n\n')
}

function answerOf({ can }: ProbeRow, paint: Paint) {
  if (can === undefined) return '-'
  if (can === null) return '?'
  return { text: can ? 'yes' : 'no', paint: can ? paint.red : paint.green }
}
