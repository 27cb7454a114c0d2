/*
 * A tool of `digest/`: a pattern that recognises its output or its command line, and a scanner that reads line by line,
 * in bounded memory, and reports the failures at the end.
 */

import type { TestsRun } from './tests-run.ts'

/** The kinds of a verification step; `custom` is anything else. */
export const stepTypes = ['build', 'test', 'lint', 'custom'] as const
export type StepType = (typeof stepTypes)[number]

/** One failure as its tool reports it. */
export type Finding = {
  /** One line for people: "src/a.ts(3,5): error TS2322: …", or a failed test's full name. */
  title: string
  /**
   * Distinguishes it besides the title: the assertion, the expected and received values; '' if there is nothing. At
   * most a few lines.
   */
  detail: string
}

export type ToolReport = {
  /** Failures as the tool counts them; at least `findings.length`. */
  failures: number
  /** One line of at most about 100 characters: "3 tests failed", "2 lint errors in 1 file:". */
  summary: string
  /** The summary itself names the failures: "3 tests failed in AuthModule: testLogin, testLogout, testRefresh". */
  named?: boolean
  /** The first `MAX_FINDINGS` of them. A test runner adds only the names of the others, `MAX_NAMED` in all. */
  findings: Finding[]
  /** Tests that the tool counts, including skipped ones; null if it does not count. */
  collected: number | null
  /** For a test runner: the tests that really ran. Without it, all that it counts ran. */
  tests?: TestsRun
}

/** Kept per tool; a digest shows fewer. Bounds the memory of a scanner. */
export const MAX_FINDINGS = 200

/** Failed tests that are named. If there are more, only the first `MAX_FINDINGS` are. */
export const MAX_NAMED = 5000

export interface ToolScanner {
  /**
   * One line of output: without escape sequences, without its newline, cut to `MAX_LINE` characters. Called in order.
   */
  line(text: string): void
  /**
   * For documents that are one long line, which `line` would see cut: the output without escape sequences, in pieces
   * cut anywhere, each before its lines.
   */
  raw?(text: string): void
  /**
   * The failures; null if nothing of this tool was in the output. A report with `failures: 0` says that the tool ran
   * and found nothing wrong.
   */
  end(): ToolReport | null
}

export type DigestTool = {
  /** Its usual name: `tsc`, `node-test`, `go-test`, `maven`. Stable: it is in the API and on the command line. */
  name: string
  type: Exclude<StepType, 'custom'>
  /** Matches a command line that runs it ("npx tsc -p ."); null if no command line is typical. */
  command: RegExp | null
  /**
   * Literals of which at least one is in every output of this tool that has failures, at or before the first line that
   * its scanner needs (a scanner is fed from the 64 KiB chunk before the one that has it). Searched with `includes`, so
   * that a tool that did not run costs next to nothing.
   */
  signs: readonly string[]
  /** The names of its tests have no mark: if a command line names the tool, it is fed from the first line. */
  fromStart?: boolean
  /** It prints nothing when it finds nothing. */
  silent?: boolean
  /** It runs other tools. Its failure is shown, but the tool that knows the cause gives the digest and the count. */
  wraps?: boolean
  /** It watches tests that another tool runs, and runs none itself. */
  watches?: boolean
  /** A fresh scanner for one output. */
  scan(): ToolScanner
}

export type ToolOutcome = { tool: DigestTool; report: ToolReport }

/** Longer lines are cut to this before a scanner sees them, in characters. */
export const MAX_LINE = 2000
