import { stripAnsi } from '../text/ansi.ts'
import { counted } from '../text/count-text.ts'
import { capDigest, DIGEST_LIMIT } from './cap.ts'
import {
  MAX_FINDINGS,
  type DigestTool,
  type Finding,
  type StepType,
  type ToolOutcome,
  type ToolReport,
} from './digest-tool.ts'
import { fallbackText } from './fallback.ts'
import { findingKey, fingerprintOf, maskText } from './fingerprint.ts'
import { outermost, withNames } from './outer-runners.ts'
import { ranIn, testsOfReport, type ToolTests } from './tests-run.ts'
import type { GenericScanner } from './generic.ts'
import { besideKnown, failedTestsOf, type KnownFailures } from './known-failures.ts'

export type Digest = {
  /** A name of `digestTools`, or `generic`. If several failed, the last to print: it ended the command. */
  tool: string
  type: StepType
  /** The verdict of the output itself; null if it has none. */
  passed: boolean | null
  failures: number | null
  /** One line of at most 100 characters. */
  summary: string
  /** At most 2000 characters, plus a note if it was cut. */
  digest: string
  /** Hex. The same for the same failures, whatever their line numbers, folders, amounts and order. */
  fingerprint: string
  /** The masked key of each finding, at most 200. */
  findings: string[]
  /** Tests that were counted, over all tools that count. */
  collected: number | null
  /** The tests that each runner says it ran, in order of appearance. Empty: no runner was seen. */
  tests: readonly ToolTests[]
  /** If failures are known: how many of them this leaves out. `only`: nothing else failed. */
  known?: { left: number; only: boolean }
  /** The output takes too much work to read: nothing here comes from it but its end. */
  unread?: true
}

export type Reading = {
  /** The report of each tool that was seen, in the order in which they appeared. */
  outcomes: readonly ToolOutcome[]
  /** Tools that the command line names. */
  named: readonly DigestTool[]
  generic: GenericScanner
  /** Nothing was printed. */
  blank: boolean
  exitCode: number | null
  type: StepType | null
  roots: readonly string[]
  /** Left out, unless nothing else failed. */
  known?: KnownFailures | undefined
}

const SHOWN = 5
const MAX_SUMMARY = 100
const MAX_TITLE = 300
const MAX_DETAIL = 600
/** Failures that follow from the first ones need less explanation. */
const MIN_ROOM = 200

/** The digest of what a reader has found. */
export function composeDigest(said: Reading): Digest {
  const reading = { ...said, outcomes: withNames(said.outcomes) }
  const tests = testsOf(runnersOf(reading), relativeTo(reading.roots))
  const digest = composed(reading)
  const collected = digest.tool === 'generic' ? null : (countedIn(runnersOf(reading)) ?? digest.collected)
  return { ...digest, collected, tests }
}

/** The tests of each runner. A wrapper only repeats those of the tool that it runs. */
function testsOf(runners: readonly ToolOutcome[], clean = stripAnsi): ToolTests[] {
  return runners.map(({ tool, report }) => ({
    tool: tool.name,
    failures: report.failures,
    ...testsOfReport(report),
    ...failedTestsOf(
      tool,
      report.findings.map(({ title }) => clean(title)),
    ),
  }))
}

/** If one command has two runners, this is the sum of their counts. */
const countedIn = (runners: readonly ToolOutcome[]): number | null =>
  runners.reduce<number | null>(
    (sum, { report }) => (report.collected === null ? sum : (sum ?? 0) + report.collected),
    null,
  )

const runnersOf = ({ outcomes, named }: Pick<Reading, 'outcomes' | 'named'>): readonly ToolOutcome[] =>
  outermost(causesOf(outcomes.filter(({ tool }) => tool.type === 'test' && tool.watches !== true)), named)

type Composed = Omit<Digest, 'tests'>

function composed(reading: Reading): Composed {
  const clean = relativeTo(reading.roots)
  const outcomes = reading.outcomes.map(({ tool, report }) => ({ tool, report: cleaned(report, clean) }))
  const failed = withoutEchoes(outcomes.filter(({ report }) => report.failures > 0))
  if (reading.known && failed.length > 0) return besideKnownDigest(failed, reading, reading.known)
  const found = digestOfFailed(failed, reading)
  if (found) return found
  const passed = allPassed(runnersOf({ outcomes, named: reading.named })) ?? outcomes.at(-1) ?? silentPass(reading)
  if (passed && (reading.exitCode ?? 0) === 0) return passedDigest(passed, reading)
  return genericDigest(reading, clean)
}

function digestOfFailed(failed: readonly ToolOutcome[], reading: Reading): Composed | null {
  const causes = causesOf(failed)
  const last = causes.at(-1)
  return last ? failedDigest(causes.length < failed.length ? failed.map(brief) : failed, last, reading) : null
}

function besideKnownDigest(failed: readonly ToolOutcome[], reading: Reading, known: KnownFailures): Composed {
  const { own, left } = besideKnown(causesOf(failed), known)
  const digest = digestOfFailed(own.length > 0 ? own : failed, reading)
  if (!digest) throw new Error('failures have a digest')
  return left === 0 ? digest : { ...digest, known: { left, only: own.length === 0 } }
}

/** A total that several tools print ("Found 9 errors.") belongs to the one that also has the errors. */
function withoutEchoes(failed: readonly ToolOutcome[]): readonly ToolOutcome[] {
  const named = failed.filter(({ report }) => report.findings.length > 0)
  return named.length > 0 ? named : failed
}

/** Without tools that only say that another's command failed, unless there are no others. */
function causesOf(failed: readonly ToolOutcome[]): readonly ToolOutcome[] {
  const causes = failed.filter(({ tool }) => tool.wraps !== true)
  return causes.length > 0 ? causes : failed
}

/** A wrapper's own words repeat those of the tool that it runs. */
function brief(outcome: ToolOutcome): ToolOutcome {
  if (outcome.tool.wraps !== true) return outcome
  const findings = outcome.report.findings.map(({ title }) => ({ title, detail: '' }))
  return { ...outcome, report: { ...outcome.report, findings } }
}

function failedDigest(failed: readonly ToolOutcome[], { tool, report }: ToolOutcome, reading: Reading): Composed {
  const room = Math.floor(DIGEST_LIMIT / failed.length) - 2
  const keys = failed.flatMap((one) => keysOf(one)).slice(0, MAX_FINDINGS)
  // Failures that are not kept are compared by their number alone.
  const rest = failed.flatMap((one) =>
    one.report.failures > one.report.findings.length ? [`${one.tool.name}: ${one.report.failures} in all`] : [],
  )
  return {
    tool: tool.name,
    type: reading.type ?? tool.type,
    passed: false,
    failures: causesOf(failed).reduce((sum, one) => sum + one.report.failures, 0),
    summary: summaryOf(report),
    digest: capDigest(failed.map((one) => blockOf(one, room)).join('\n\n')),
    fingerprint: fingerprintOf([...keys, ...rest]),
    findings: keys,
    collected: report.collected,
  }
}

function passedDigest({ tool, report }: ToolOutcome, reading: Reading): Composed {
  return {
    tool: tool.name,
    type: reading.type ?? tool.type,
    passed: true,
    failures: 0,
    summary: summaryOf(report),
    digest: cut(report.summary, MAX_SUMMARY),
    fingerprint: fingerprintOf([]),
    findings: [],
    collected: report.collected,
  }
}

function genericDigest({ generic, named, type, exitCode }: Reading, clean: (text: string) => string): Composed {
  const tool = named.at(-1)
  const kind = type ?? tool?.type ?? 'custom'
  const causes = generic.causes().map(clean)
  const body = clean(generic.text())
  const findings = causes.map((line) => `generic: ${maskText(line)}`)
  const { summary, text } = fallbackText(kind, causes, body)
  return {
    tool: 'generic',
    type: kind,
    passed: exitCode === null ? null : exitCode === 0,
    failures: null,
    summary: cut(summary, MAX_SUMMARY),
    digest: capDigest(text),
    fingerprint: fingerprintOf(findings),
    findings,
    collected: null,
  }
}

/** "546 tests passed (545 node-test, 1 jest)": the last runner's own words would only be about itself. */
function allPassed(runners: readonly ToolOutcome[]): ToolOutcome | null {
  const [tool] = runners.slice(-1).map((one) => one.tool)
  if (tool === undefined || runners.length < 2) return null
  const tests = testsOf(runners)
  const ran = ranIn(tests)
  const each = tests.map((one) => `${one.ran ?? 'some'} ${one.tool}`).join(', ')
  const summary = `${ran === null ? 'tests' : counted(ran, 'test')} passed (${each})`
  return { tool, report: { failures: 0, summary, findings: [], collected: countedIn(runners) } }
}

/** Compilers and linters print nothing if all is well. */
function silentPass({ blank, named }: Reading): ToolOutcome | null {
  const tool = named.at(-1)
  if (!blank || tool?.silent !== true) return null
  return { tool, report: { failures: 0, summary: `${tool.name} found nothing`, findings: [], collected: null } }
}

/** `[TYPE] summary` with the first findings. Their details take the room that is left. */
function blockOf({ tool, report }: ToolOutcome, limit: number): string {
  const head = `[${tool.type.toUpperCase()}] ${cut(report.summary, 200)}`
  const shown = report.findings.slice(0, SHOWN)
  const more = report.failures - shown.length
  const rest = more > 0 ? [`(+ ${more} more ${tool.type === 'test' ? 'test failures' : 'errors'})`] : []
  const titles = shown.map(({ title }) => cut(title, MAX_TITLE))
  let room = limit - [head, ...titles, ...rest].reduce((sum, line) => sum + line.length + 1, 0)
  const lines = shown.flatMap(({ detail }, at) => {
    const text = detail === '' ? '' : indent(cut(detail, Math.min(MAX_DETAIL, Math.max(0, room))))
    if (text === '' || (text.length > room && room < MIN_ROOM)) return [titles[at] ?? '']
    room -= text.length + 1
    return [titles[at] ?? '', text]
  })
  return [head, ...lines, ...rest].join('\n')
}

const indent = (text: string): string => text.replace(/^(?=.)/gm, '  ')

function summaryOf({ summary, named, findings }: ToolReport): string {
  const head = summary.replace(/:\s*$/, '')
  if (findings.length === 0 || named === true) return cut(head, MAX_SUMMARY)
  return cut(`${head}: ${findings.map(({ title }) => title.split('\n')[0]).join(', ')}`, MAX_SUMMARY)
}

const keysOf = ({ tool, report }: ToolOutcome): string[] =>
  report.findings.slice(0, MAX_FINDINGS).map((finding) => findingKey(tool.name, finding))

function cut(text: string, limit: number): string {
  if (text.length <= limit) return text
  return limit < 2 ? '' : `${text.slice(0, limit - 1).toWellFormed()}…`
}

function cleaned(report: ToolReport, clean: (text: string) => string): ToolReport {
  const findings = report.findings.map(({ title, detail }): Finding => ({ title: clean(title), detail: clean(detail) }))
  return { ...report, summary: clean(report.summary).replace(/\s+/g, ' ').trim(), findings }
}

/** Removes control characters and the roots of paths, even of paths that are written as URLs. */
function relativeTo(roots: readonly string[]): (text: string) => string {
  const named = roots.filter((root) => root !== '').toSorted((one, other) => other.length - one.length)
  if (named.length === 0) return stripAnsi
  const escaped = named.map((root) => root.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  const prefix = new RegExp(`(?:file://)?(?<![\\w.~@-])(?:${escaped.join('|')})`, 'g')
  return (text) => stripAnsi(text).replace(prefix, '')
}
