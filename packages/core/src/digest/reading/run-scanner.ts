import { MAX_FINDINGS, MAX_NAMED, type ToolReport, type ToolScanner } from '../digest-tool.ts'
import { JsonDocuments, type JsonVisitor } from './json-document.ts'
import { mergeReports } from './run-report.ts'

/** One run of a test tool: its lines from the first to the last. */
export interface RunScanner {
  line(text: string): void
  /** The number of summaries so far; a test can print one, so the last counts. */
  readonly concluded: number
  /** Whether a line belongs to another run, because this one has ended. */
  isFollowedBy?(line: string): boolean
  /** Null if the lines had nothing of the tool, or too little. */
  end(): ToolReport | null
}

export type TestRuns = {
  /** A package manager prints the command before a run, "> vitest run"; so no run hides an earlier one. */
  command: RegExp
  /** True for another line that begins a run. */
  begins?(line: string): boolean
  /** @param detailed false if earlier runs had enough failures: then these are only counted */
  run(detailed: boolean): RunScanner
  /** The document that the tool prints if asked to. The last one counts, so only it is reported. */
  json?: { firstKeys: readonly string[]; read(done: (report: () => ToolReport) => void): JsonVisitor }
}

/** An output with any number of runs of a tool, as text or as a document. */
export function scanRuns(runs: TestRuns): ToolScanner {
  return new RunsScanner(runs)
}

const isScript = (line: string): boolean => line.charCodeAt(0) === 0x3e && line.startsWith('> ') && line.length < 1000

/** The most runs that are kept apart; nobody reads more of them. */
const MAX_RUNS = 50

class RunsScanner implements ToolScanner {
  readonly raw?: (text: string) => void
  readonly #runs: TestRuns
  #current: RunScanner
  #earlier: ToolReport[] = []
  #piece = 0
  #concluded = 0
  #concludedAt = -1
  #found = 0
  /** Findings of the earlier runs that are still separate. */
  #apart = 0
  #document: { report: () => ToolReport; at: number } | null = null

  constructor(runs: TestRuns) {
    this.#runs = runs
    this.#current = runs.run(true)
    const { json } = runs
    if (json === undefined) return
    const done = (report: () => ToolReport): void => {
      this.#document = { report, at: this.#piece }
    }
    const documents = new JsonDocuments(json.firstKeys, () => json.read(done))
    this.raw = (text) => {
      this.#piece += 1
      documents.push(text)
    }
  }

  line(text: string): void {
    const begins = isScript(text) ? this.#runs.command.test(text) : this.#runs.begins?.(text)
    if (begins === true || this.#current.isFollowedBy?.(text) === true) this.#next()
    this.#current.line(text)
    if (this.#current.concluded === this.#concluded) return
    this.#concluded = this.#current.concluded
    this.#concludedAt = this.#piece
  }

  end(): ToolReport | null {
    this.#next()
    const text = mergeReports(this.#earlier)
    const document = this.#document
    if (document === null) return text
    const told = document.report()
    if (text === null) return told
    // There are both, and a test may have printed one of them. A real one comes after all tests; if they are close to
    // each other, the worse one counts.
    if (document.at !== this.#concludedAt) return document.at > this.#concludedAt ? told : text
    return text.failures > told.failures ? text : told
  }

  #next(): void {
    const report = this.#current.end()
    if (report !== null) {
      this.#earlier.push(report)
      this.#found += report.findings.length
      this.#apart += report.findings.length
    }
    if (this.#earlier.length >= MAX_RUNS || this.#apart > MAX_NAMED) {
      this.#earlier = [mergeReports(this.#earlier) ?? report].filter((one) => one !== null)
      this.#apart = 0
    }
    this.#current = this.#runs.run(this.#found < MAX_FINDINGS)
    this.#concluded = 0
  }
}
