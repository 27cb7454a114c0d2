import type { DigestTool, ToolReport } from '../../digest-tool.ts'
import { ProveReader } from './prove.ts'
import { scanRuns, type RunScanner } from '../../reading/run-scanner.ts'
import { TapReader } from './tap-reader.ts'
import { testsRun } from '../../tests-run.ts'
import { testReport, type FailedTest } from '../../reading/run-report.ts'

/** The Test Anything Protocol of any program but Node's own runner: tape, node-tap, Vitest, Mocha, Perl. */
export const tap: DigestTool = {
  name: 'tap',
  type: 'test',
  command: /\b(?:tape|tap|prove)\b/,
  signs: ['TAP version ', 'not ok ', '#   Failed test', 'Dubious, test returned', 'Result: '],
  scan: () =>
    scanRuns({
      command: /\b(?:tape|tap|prove)\b/,
      begins: (line) => line.startsWith('TAP version '),
      run: (detailed) => new TapRun(detailed),
    }),
}

class TapRun implements RunScanner {
  readonly concluded = 0
  readonly #tap: TapReader
  readonly #prove: ProveReader
  /** bats explains failures in comments, and has a tool of its own. */
  #bats = false

  constructor(detailed: boolean) {
    this.#tap = new TapReader(detailed)
    this.#prove = new ProveReader(detailed)
  }

  line(text: string): void {
    this.#bats ||= text.includes('(in test file ') || text.startsWith('# (from function ')
    this.#tap.line(text)
    this.#prove.line(text)
  }

  end(): ToolReport | null {
    const tap = this.#tap
    tap.end()
    const prove = this.#prove.end()
    // Many outputs have such words; with a version or a plan they are the protocol. Node's own has its tool.
    if (
      isNodeTap(tap) ||
      this.#bats ||
      (!tap.version && tap.plan === null) ||
      (tap.points === 0 && tap.bailedOut === null && (tap.plan !== 0 || prove !== null))
    )
      return prove
    const broken = brokenOff(tap)
    const total = tap.counts.get('tests')
    const said = tap.counts.get('fail') ?? 0
    const counted = total === undefined ? tap.failed : tap.stillFailing.count(said, tap.points - total)
    const failures = counted + (broken === null ? 0 : 1)
    const tests = counted === 0 ? [] : tap.tests.list(counted)
    const others = counted > 0 ? new Set<string>() : tap.stillFailing.names
    const run = testsRun(tap.points - tap.skipped - others.size, counted, tap.units.without(others))
    return testReport(failures, broken === null ? tests : [...tests, broken], tap.points, undefined, run)
  }
}

/** Only Node's summary counts cancelled tests; its comments are escaped, which keeps the tests' own output apart. */
export const isNodeTap = (tap: TapReader): boolean =>
  (tap.subtests && (tap.counts.has('cancelled') || !tap.counts.has('tests'))) ||
  (tap.points === 0 && tap.counts.has('cancelled'))

/** The failure of a program that ended before it ran all planned tests. */
function brokenOff(tap: TapReader): FailedTest | null {
  if (tap.bailedOut !== null) return { path: ['Bail out!'], title: `Bail out! ${tap.bailedOut}`, detail: '' }
  const title =
    tap.plan === null ? 'the run ended before its plan' : `planned ${tap.plan} tests and ran ${tap.topPoints}`
  if (tap.plan !== null && tap.plan <= tap.topPoints) return null
  return { path: [title], title, detail: tap.thrown?.toString() ?? '' }
}
