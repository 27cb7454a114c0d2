// Notes the parts of suites that have passed on a commit, so that an interrupted run of hours can continue.
import { execFileSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { arch, availableParallelism, totalmem } from 'node:os'
import { dirname, join } from 'node:path'
import { root, Stop } from './run.mjs'

/** The page that lists what ran. It may change without a new run. */
const PAGE = 'docs/tested.md'
const ELSE = ['--', '.', `:(exclude)${PAGE}`]

const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()

/**
 * The records of the checked-out commit, one line of JSON for each test file that ended; null if files have changed
 * since, because then it is unclear what was tested.
 */
export function recordsHere() {
  try {
    if (git('status', '--porcelain', ...ELSE) !== '') return null
    return recordsOf(git('log', '-1', '--format=%H', ...ELSE))
  } catch {
    return null // no git, or no repository: a release's sources
  }
}

/** The same; throws a `Stop` that says what to do if there are none. */
export function neededRecords(flag) {
  const records = recordsHere()
  if (records === null)
    throw new Stop(`${flag} needs a commit to belong to: commit or stash what has changed, then try again.`)
  return records
}

function recordsOf(commit) {
  const file = join(root, 'test-results', 'tested', `${commit}.jsonl`)
  mkdirSync(dirname(file), { recursive: true })
  return { commit, file }
}

export const lastRows = ({ file }) => rowsIn(existsSync(file) ? readFileSync(file, 'utf8') : '')

/** The last row of each part, by suite: only the newest run of a part counts. */
export function rowsIn(text) {
  const suites = new Map()
  for (const line of text.split('\n')) {
    const row = rowIn(line)
    if (row === null) continue
    const parts = suites.get(row.suite) ?? new Map()
    parts.set(partOf(row), row)
    suites.set(row.suite, parts)
  }
  return suites
}

/** Parses a row; a killed run may have left half a line. */
function rowIn(line) {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}

const partOf = ({ project, file }) => `${project} ${file}`

export const addRow = ({ file }, row) => appendFileSync(file, `${JSON.stringify({ ...row, ...circumstances() })}\n`)

export const circumstances = () => ({
  machine: `${arch()}, ${availableParallelism()} cores, ${Math.round(totalmem() / 1024 ** 3)} GiB`,
  requireAll: Boolean(process.env['REQUIRE_ALL']),
  at: new Date().toISOString().slice(0, 16),
})

/** Whether a part need not run again. If nothing may be skipped, it must have run like that. */
const hasPassed = (row) => row?.failed === 0 && (row.requireAll || !process.env['REQUIRE_ALL'])

/** Stands for errors outside of tests in the last run of a suite. */
export const BETWEEN = { project: '', file: '' }

/** Notes that a suite's run failed without a failed test. */
export const addBreak = (records, suite) => addRow(records, brokenOff(suite))

export const brokenOff = (suite) => ({
  suite,
  ...BETWEEN,
  passed: 0,
  failed: 1,
  skipped: 0,
  seconds: 0,
  failures: [{ test: 'the run', why: 'it ended before its tests did' }],
})

/** The parts that must run: after an error outside of tests nobody knows which of them caused it. */
export const leftOf = (rows, parts) =>
  rows?.get(partOf(BETWEEN))?.failed > 0 ? parts : parts.filter((part) => !hasPassed(rows?.get(partOf(part))))

/** "2/3" is every third part, beginning with the second. */
export function shardFrom(text) {
  const [, number, of] = /^(\d{1,3})\/(\d{1,3})$/.exec(text)?.map(Number) ?? []
  if (!(number >= 1 && number <= of)) throw new Stop(`--shard needs a part of a number of parts, as 2/3, not ${text}.`)
  return (parts) => parts.filter((_, at) => at % of === number - 1)
}

/** Counts of the parts of a suite, including how many have not run. */
export function countsOf(rows, parts) {
  const ran = parts.flatMap((part) => rows?.get(partOf(part)) ?? [])
  const all = [...ran, ...(rows?.has(partOf(BETWEEN)) ? [rows.get(partOf(BETWEEN))] : [])]
  const sum = (key) => all.reduce((total, row) => total + row[key], 0)
  return {
    passed: sum('passed'),
    failed: sum('failed'),
    skipped: sum('skipped'),
    seconds: sum('seconds'),
    failures: all.flatMap(({ file, failures = [] }) => failures.map((one) => ({ file, ...one }))),
    parts: parts.length,
    missing: parts.length - ran.length,
    machines: [...new Set(ran.map(({ machine }) => machine))],
    until:
      ran
        .map(({ at }) => at)
        .toSorted()
        .at(-1) ?? '',
  }
}

export function writePage({ commit }, results) {
  writeFileSync(join(root, PAGE), pageOf(commit, git('log', '-1', '--format=%cs', commit), results))
  return PAGE
}

/** The page: a row for each suite, then the failures. */
export function pageOf(commit, day, results) {
  const number = (value) => value.toLocaleString('en-US')
  const rows = results.map(({ name, parts, missing, passed, failed, skipped, seconds, machines, until }) =>
    [
      name,
      missing === 0 ? 'whole' : missing === parts ? 'not run' : `${parts - missing} of ${parts} files`,
      number(passed),
      number(failed),
      number(skipped),
      (seconds / 60).toFixed(1),
      machines.join('; '),
      until.replace('T', ' '),
    ].join(' | '),
  )
  const failures = results.flatMap(({ name, failures: all }) =>
    all.map(({ file, test, why }) => `- ${name}, ${file}: ${oneLine(test)}: ${oneLine(why)}`),
  )
  return `# Tested

Every suite on one commit, by \`npm run test:all\` ([CONTRIBUTING](../CONTRIBUTING.md)), which writes this page.

Commit ${commit.slice(0, 12)} of ${day}.

| suite | ran | passed | failed | skipped | minutes | machine | until (UTC) |
|---|---|--:|--:|--:|--:|---|---|
${rows.map((row) => `| ${row} |`).join('\n')}

${failures.length === 0 ? 'Nothing failed.' : `Failed:\n\n${failures.join('\n')}`}
`
}

export const firstLine = (text = '') => text.trim().split('\n', 1)[0].slice(0, 300)

const oneLine = (text) => text.replace(/[\s|]+/g, ' ').slice(0, 200)
