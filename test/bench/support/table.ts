import { isMet, median, ratioOf, type Aim, type Figure, type Report, type Row } from './figure.ts'

/** The report for people: one line a row, then where the time goes. */
export function tableOf({ rows, parts }: Report): string {
  const main = columns([
    ['what', 'ours', 'baseline', 'ratio', 'aim', 'met?'],
    ...rows.map((row) => [
      row.what,
      figureText(row.ours),
      row.baseline ? `${figureText(row.baseline.figure)}  ${row.baseline.what}` : '–',
      ratioText(row),
      row.aim ? aimText(row.aim, row.ours.unit) : '–',
      { true: 'yes', false: 'NO', null: '–' }[`${isMet(row)}`] ?? '–',
    ]),
  ])
  const details = parts.map(
    ({ title, parts: lines }) =>
      `\n${title}\n${columns(lines.map(({ what, figure }) => [`  ${what}`, figureText(figure)]))}`,
  )
  return [main, ...details].join('\n')
}

/** The median, with the least and the most in brackets. */
export function figureText({ unit, values }: Figure): string {
  if (values.length === 0) return 'not measured'
  const middle = `${rounded(median(values))} ${unit}`
  return values.length === 1 ? middle : `${middle} [${rounded(Math.min(...values))}–${rounded(Math.max(...values))}]`
}

function ratioText(row: Row): string {
  const ratio = ratioOf(row)
  return ratio === null ? '–' : ratio.toFixed(2)
}

function aimText({ of, at, value }: Aim, unit: string): string {
  const sign = at === 'most' ? '≤' : '≥'
  return of === 'ratio' ? `ratio ${sign} ${value}` : `${sign} ${value} ${unit}`
}

function rounded(value: number): string {
  if (Math.abs(value) >= 100) return value.toFixed(0)
  return Math.abs(value) >= 10 ? value.toFixed(1) : value.toFixed(2)
}

function columns(lines: string[][]): string {
  const widths = (lines[0] ?? []).map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)))
  return lines
    .map((line) =>
      line
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
