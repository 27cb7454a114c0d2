import type { DigestTool, ToolReport } from '../../digest-tool.ts'
import { isAftermath } from '../../reading/aftermath.ts'
import { FailureList } from '../../reading/failure-list.ts'
import { PytestBlocks } from './pytest-blocks.ts'
import { PytestRuns, type PytestSession } from './pytest-runs.ts'
import { PytestProgress } from './pytest-progress.ts'
import { PytestResults } from './pytest-results.ts'
import { counted } from '../../../text/count-text.ts'

const BANNER = /^=+ (.+?) =+$/
/** Each count ends with a comma or with the time: otherwise a line could be read in 2 to the n ways. */
const SUM =
  /^(?:=+ )?((?:\d{1,9} [a-z]+(?: [a-z]+){0,3}|no tests ran)(?:, (?:\d{1,9} [a-z]+(?: [a-z]+){0,3}|no tests ran)){0,20}) in [\d.]+s(?: \([\d:, a-z]+\))?(?: =+)?$/
const SUM_ENDS = new Set([...'s=)'].map((char) => char.charCodeAt(0)))
const COUNT = /(\d+) (failed|passed|skipped|xfailed|xpassed|errors?)\b/g
const COLLECTED = /\bcollected (\d+) items?\b(?:.* (\d+) selected)?/
const WORKERS = /^\d+ workers? \[(\d+) items?\]/
const LISTED = /^(?:FAILED|ERROR|SUBFAILED(?:\(.*?\)|\[.*?\])?|SUBFAIL) (.+)$/
const CONFTEST = /^ImportError while loading conftest '(.+)'\.$/
const USAGE = /^ERROR: (?!.*::)(.+)$/

type Counts = { failed: number; errors: number; ran: number; verdicts: number; passed: number }

class PytestScanner implements PytestSession {
  #failed = new FailureList({ all: true })
  #blocks = new PytestBlocks()
  /** The current banner; '' before the first one. */
  #section = ''
  #collected: number | null = null
  #counts: Counts | null = null
  #sum = ''
  sums = 0
  #started = false
  #usage: string | null = null
  #conftest: { file: string; error: string[] } | null = null
  #last = ''
  readonly #progress = new PytestProgress()
  readonly #results = new PytestResults()

  line(text: string): void {
    if (this.#sumUp(text)) return
    this.#progress.line(text, this.#section)
    const banner = text.startsWith('=') ? BANNER.exec(text)?.[1] : undefined
    if (banner !== undefined) this.#enter(banner)
    else if (this.#section === 'short test summary info') this.#listed(text)
    else if (this.#section === 'FAILURES' || this.#section === 'ERRORS') this.#blocks.line(text)
    else this.#outside(text)
    if (text !== '' && !isAftermath(text)) this.#last = text
  }

  end(): ToolReport | null {
    if (this.#conftest) return notLoaded(this.#conftest)
    if (this.#usage !== null) return broken(NO_START, this.#usage)
    if (this.#counts) return this.#report(this.#counts)
    if (!this.#started) return null
    const tests = this.#progress.tests(null)
    const cut = broken('pytest ended before its summary', `last line: ${this.#last}`)
    return { ...cut, collected: this.#collected, tests }
  }

  #report({ failed, errors, ran, verdicts, passed: good }: Counts): ToolReport {
    const isListed = this.#failed.count > 0
    const listed = isListed ? this.#failed : this.#blocks.asFailures()
    if (!isListed) for (const file of this.#blocks.uncollected) this.#progress.lacks(file)
    const failures = Math.max(failed + errors, listed.count)
    const collected = this.#collected ?? ran
    const tests = this.#progress.tests({ ran: verdicts, passed: good })
    if (failures === 0 && ran === 0) return { ...broken('no tests were run', this.#sum), collected, tests }
    const passed = `${this.#sum.replace(/ in [\d.]+s[^]*$/, '')}`
    const summary = failures > 0 ? `${counted(failures, 'test')} failed` : passed
    return { failures, summary, findings: listed.findings(), collected, tests }
  }

  #enter(banner: string): void {
    if (banner === 'test session starts') this.#started = true
    if (banner === 'test session starts' || banner === 'short test summary info') this.#progress.enter(banner)
    // A test can print any banner; the real one comes later and starts over.
    if (banner === 'short test summary info') this.#failed = new FailureList({ all: true })
    if (banner === 'ERRORS' && this.#section !== 'FAILURES') this.#blocks = new PytestBlocks()
    this.#blocks.close()
    this.#section = banner
  }

  /** The line with the counts; the real one replaces earlier lines that look like it. */
  #sumUp(text: string): boolean {
    const listed = this.#results.line(text)
    const sum =
      listed?.sum ??
      (SUM_ENDS.has(text.charCodeAt(text.length - 1)) && text.includes(' in ') ? SUM.exec(text)?.[1] : undefined)
    if (sum === undefined) return false
    const of = Object.fromEntries([...sum.matchAll(COUNT)].map(([, count, what]) => [what?.replace(/s$/, ''), count]))
    const number = (what: string): number => Number(of[what] ?? 0)
    const failed = number('failed')
    const errors = number('error')
    // A test that may fail decides nothing, however it ends.
    const passed = number('passed')
    const ran = failed + errors + number('passed') + number('skipped') + number('xfailed') + number('xpassed')
    if (ran === 0 && !/no tests ran|deselected|warning/.test(sum)) return false
    // A test whose fixture fails has an error and no verdict; a test whose teardown fails has already passed.
    if (listed?.first !== false) this.sums += 1
    this.#progress.close()
    this.#counts = { failed, errors, ran, verdicts: failed + passed, passed }
    this.#sum = listed?.sum ?? text.replace(/^=+ | =+$/g, '')
    return true
  }

  /** `FAILED path::name - message`: pytest cuts the message, so the block above tells more, if there is one. */
  #listed(text: string): void {
    const entry = LISTED.exec(text)?.[1]
    if (entry === undefined) return
    const at = entry.indexOf(' - ', Math.max(0, entry.lastIndexOf(']')))
    const cut = at < 0 ? entry.indexOf(' - ') : at
    const name = cut < 0 ? entry : entry.slice(0, cut)
    if (text.startsWith('ERROR ') && !name.includes('::')) this.#progress.lacks(name)
    const message = cut < 0 ? [] : [entry.slice(cut + 3)]
    const mark = /^SUB\w+(\(.*?\)|\[.*?\])? /.exec(text)?.[1] ?? ''
    const detail = this.#blocks.detail(name, mark)
    this.#failed.add(mark === '' ? name : `${name} ${mark}`, detail.length > 0 ? detail : message)
  }

  #outside(text: string): void {
    if (text.includes('collected ')) this.#collect(COLLECTED.exec(text))
    else if (text.includes(' items]')) this.#collect(WORKERS.exec(text))
    const conftest = text.startsWith('ImportError while') ? CONFTEST.exec(text)?.[1] : undefined
    if (conftest !== undefined && !this.#started) this.#conftest = { file: conftest, error: [] }
    else if (this.#conftest && /^E {3}/.test(text)) this.#conftest.error.push(text.slice(4).slice(0, 300))
    if (this.#counts && text.startsWith('ERROR: ') && !isAftermath(text))
      this.#usage = USAGE.exec(text)?.[1] ?? this.#usage
  }

  #collect(found: RegExpExecArray | null): void {
    if (found) this.#collected = Number(found[2] ?? found[1])
  }
}

const NO_START = 'pytest could not start'

const broken = (summary: string, title: string, error: readonly string[] = []): ToolReport => ({
  failures: 1,
  summary,
  findings: [{ title, detail: error.slice(0, 6).join('\n') }],
  collected: null,
})

function notLoaded({ file, error }: { file: string; error: readonly string[] }): ToolReport {
  const why = error.at(-1)?.trim() ?? ''
  return broken(NO_START, `cannot load ${file}${why === '' ? '' : `: ${why}`}`, error.slice(0, -1))
}

export const pytest: DigestTool = {
  name: 'pytest',
  type: 'test',
  command: /(?:^|[\s;&|/])(?:pytest|py\.test)(?=\s|$)/,
  signs: [
    '= test session starts =',
    '= FAILURES =',
    '= ERRORS =',
    '= short test summary',
    'loading conftest',
    ' passed in ',
    ' passed, ',
    'no tests ran in ',
    'Test session starts (platform',
    'Results (',
  ],
  scan: () => new PytestRuns(() => new PytestScanner()),
}
