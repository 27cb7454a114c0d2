// The table at the end of the fault tests, from the rows that they leave in a file (test/crash/tally.ts).
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { say } from './run.mjs'

const HEAD = ['fault', 'times', 'of which SIGKILL', 'bytes compared', 'lost', 'doubled']

/** Runs the tests with an environment in which they leave their rows, then prints the rows, even if tests failed. */
export async function withFaultTable(tests) {
  const folder = mkdtempSync(join(tmpdir(), 'beadloom-faults-'))
  const file = join(folder, 'rows')
  try {
    return await tests({ FAULT_TABLE: file })
  } finally {
    const rows = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []
    if (rows.length > 0) say(`\n${faultTable(rows.map((row) => JSON.parse(row)))}\n`)
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The rows as a Markdown table, for docs/faults.md. */
export function faultTable(rows) {
  const names = [...new Set(rows.map(({ fault }) => fault))]
  const faults = names.map((name) =>
    summed(
      name,
      rows.filter(({ fault }) => fault === name),
    ),
  )
  const lines = [...faults, summed('**all**', rows)].map(cells)
  const widths = HEAD.map((title, column) => Math.max(title.length, ...lines.map((line) => line[column].length)))
  const line = (texts) =>
    `| ${texts.map((text, at) => (at === 0 ? text.padEnd(widths[at]) : text.padStart(widths[at]))).join(' | ')} |`
  const rule = widths.map((width, at) => (at === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`))
  return [line(HEAD), line(rule), ...lines.map(line)].join('\n')
}

function summed(fault, rows) {
  const sum = (key) => rows.reduce((total, row) => total + (row[key] ?? 0), 0)
  const of = ['times', 'sigkills', 'bytes', 'lost', 'doubled']
  return { fault, ...Object.fromEntries(of.map((key) => [key, sum(key)])) }
}

const cells = ({ fault, times, sigkills, bytes, lost, doubled }) => [
  fault,
  number(times),
  sigkills === 0 ? '' : number(sigkills),
  bytes === 0 ? '' : number(bytes),
  number(lost),
  number(doubled),
]

const number = (value) => value.toLocaleString('en-US')
