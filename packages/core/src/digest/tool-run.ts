import type { DigestTool, ToolOutcome, ToolReport, ToolScanner } from './digest-tool.ts'
import type { Section } from './reading/package-lines.ts'
import { packagesReport, type PackageReport } from './packages-report.ts'

/** Scanners of one tool for sections of one output; lines of further sections are not read. */
const MAX_SCANNERS = 100

/** One tool on one output: a scanner for the whole, and one for each package. */
export class ToolRun {
  readonly #tool: DigestTool
  readonly #whole: ToolScanner
  readonly #packages = new Map<string, { name: string; titled: boolean; scanner: ToolScanner }>()

  constructor(tool: DigestTool) {
    this.#tool = tool
    this.#whole = tool.scan()
  }

  /** @param text the piece, if these are all of its lines */
  feed({ key, name, titled, lines }: Section, text: string | null): void {
    const scanner = key === '' ? this.#whole : this.#scannerFor(key, name, titled)
    if (scanner === null) return
    if (scanner.raw) scanner.raw(text ?? `${lines.join('\n')}\n`)
    for (const line of lines) scanner.line(line)
  }

  end(): ToolOutcome[] {
    const whole = this.#whole.end()
    const reports = [...this.#packages.values()].flatMap(
      ({ name, titled, scanner }): (PackageReport & { titled: boolean })[] => {
        const report = scanner.end()
        return report === null ? [] : [{ name, report, titled }]
      },
    )
    const prefixed = reports.filter(({ titled }) => !titled)
    const titled = reports.filter((one) => one.titled)
    // Titles are text of the output: they only count if the packages have the same failures as the whole.
    const named = agrees(whole, titled) ? packagesReport(this.#tool, titled) : whole
    const report = packagesReport(this.#tool, prefixed, named)
    return report === null ? [] : [{ tool: this.#tool, report }]
  }

  #scannerFor(key: string, name: string, titled: boolean): ToolScanner | null {
    const known = this.#packages.get(key)
    if (known) return known.scanner
    if (this.#packages.size >= MAX_SCANNERS) return null
    const scanner = this.#tool.scan()
    this.#packages.set(key, { name, titled, scanner })
    return scanner
  }
}

function agrees(whole: ToolReport | null, packages: readonly PackageReport[]): boolean {
  const failures = packages.reduce((sum, { report }) => sum + report.failures, 0)
  return new Set(packages.map(({ name }) => name)).size > 1 && failures > 0 && failures === whole?.failures
}
