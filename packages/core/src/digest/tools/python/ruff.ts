import type { DigestTool, ToolReport, ToolScanner } from '../../digest-tool.ts'
import { FailureList } from '../../reading/failure-list.ts'
import { FORMATTING_ALONE } from '../../reading/lint-report.ts'
import { RuffJson } from './ruff-json.ts'
import { counted } from '../../../text/count-text.ts'

const CODE = '(?:[A-Z]{1,7}\\d{1,4}|invalid-syntax:|SyntaxError:)'
const CONCISE = new RegExp(`^(\\S[^:]*:\\d+:\\d+: )(${CODE}) (?:\\[[*-]\\] )?(.+)$`)
const HEAD = new RegExp(`^(${CODE}|unformatted:) (?:\\[[*-]\\] )?(.+)$`)
const PLACE = /^ *--> (\S.*:\d+:\d+)$/
const GROUP = /^(\S.*):$/
const GROUPED = new RegExp(`^ {1,6}(\\d+:\\d+) +(${CODE}) (?:\\[[*-]\\] )?(.+)$`)
const STATISTIC = /^(\d+)\t([A-Z]{1,7}\d{1,4}|invalid-syntax)?\s*\t\[.\] (.+)$/
const GITHUB = /^::error title=[Rr]uff /
const FOUND = /^Found (\d+) errors?(?: \(\d+ fixed, (\d+) remaining\))?\.$/
const PASSED = /^(?:All checks passed!|\d+ files? already formatted)$/

const UNFORMATTED = /: unformatted: File would be reformatted/

class RuffScanner implements ToolScanner {
  readonly #errors = new FailureList()
  readonly #json = new RuffJson()
  #head: string | null = null
  #group = ''
  /** The line above a mark: the code in question. */
  #source: string | null = null
  #unformatted = 0
  #told = 0
  #passed = false

  line(text: string): void {
    const first = text.charCodeAt(0)
    if (first === 0x20) this.#indented(text)
    else if (first === 0x7b) this.#fromJson(text)
    else if (text === '') this.#errors.close()
    else if (this.#errors.isOpen && /^\d+ +[|+-]/.test(text)) this.#snippet(text)
    else this.#margin(text)
  }

  end(): ToolReport | null {
    // Other tools print "Found 2 errors." too.
    const failures = this.#errors.count === 0 ? 0 : Math.max(this.#told, this.#errors.count)
    if (failures === 0 && !this.#passed) return null
    const files = new Set(this.#errors.titles().flatMap((title) => /^(.+?):\d+:\d+: /.exec(title)?.[1] ?? [])).size
    // `--statistics` and `ruff format --check` give no places.
    const where = files === 0 ? '' : ` in ${counted(files, 'file')}`
    const isStyle =
      this.#errors.titles().every((title) => UNFORMATTED.test(title)) || this.#unformatted === this.#errors.count
    const style = isStyle ? FORMATTING_ALONE : ''
    const summary = failures === 0 ? 'ruff found no errors' : `${counted(failures, 'lint error')}${where}${style}:`
    return { failures, summary, findings: this.#errors.findings(), collected: null }
  }

  #margin(text: string): void {
    const place = text.startsWith('-->') ? PLACE.exec(text)?.[1] : undefined
    if (place !== undefined) return this.#located(place)
    const concise = text.includes(': ') ? CONCISE.exec(text) : null
    if (concise) return this.#title(`${concise[1]}${concise[2]} ${concise[3]}`)
    const head = /^[A-Ziu]/.test(text) ? HEAD.exec(text) : null
    this.#head = head ? `${head[1]} ${head[2]}` : null
    if (head) this.#errors.close()
    else if (text.startsWith('help: ')) this.#help(text)
    else this.#other(text)
  }

  /** Tests for the literal before each pattern, since these lines may be anything. */
  #other(text: string): void {
    this.#group = text.endsWith(':') ? (GROUP.exec(text)?.[1] ?? '') : ''
    if (text.startsWith('Found ')) this.#sum(FOUND.exec(text))
    else if (text.startsWith('All checks passed') || text.endsWith(' already formatted'))
      this.#passed ||= PASSED.test(text)
    else if (/^Would reformat: ./.test(text)) this.#format(text.slice('Would reformat: '.length))
    else if (text.startsWith('error: Failed to parse ')) this.#title(text.slice('error: '.length))
    else if (text.startsWith('::') && GITHUB.test(text))
      this.#title(text.slice(text.indexOf('::', 2) + 2).replace(/%0A[^]*$/, ''))
    else if (text.includes('\t')) this.#statistic(STATISTIC.exec(text))
  }

  #format(file: string): void {
    this.#errors.add(file, ['not formatted'])
    this.#unformatted += 1
  }

  #sum(found: RegExpExecArray | null): void {
    if (found) this.#told += Number(found[2] ?? found[1])
    this.#passed ||= found?.[2] === '0'
  }

  #statistic(found: RegExpExecArray | null): void {
    if (found) this.#errors.add(`${found[1]} × ${[found[2], found[3]].filter(Boolean).join(' ')}`)
  }

  #indented(text: string): void {
    const place = text.includes('--> ') ? PLACE.exec(text)?.[1] : undefined
    if (place !== undefined) return this.#located(place)
    const grouped = this.#group === '' ? null : GROUPED.exec(text)
    if (grouped) return this.#title(`${this.#group}:${grouped[1]}: ${grouped[2]} ${grouped[3]}`)
    if (this.#errors.isOpen) this.#snippet(text)
    else this.#fromJson(text)
  }

  #fromJson(text: string): void {
    this.#title(this.#json.line(text))
    this.#errors.close() // otherwise the next lines would count as shown code
  }

  #located(place: string): void {
    if (this.#head !== null) this.#title(`${place}: ${this.#head}`)
    this.#head = null
  }

  /** A line that was cut before its text has no title. */
  #title(title: string | null): void {
    if (title !== null && title !== '') this.#errors.add(title)
    this.#source = null
  }

  /** The line of code with the mark. A mark over several lines tells no more than the place. */
  #snippet(text: string): void {
    if (/^ *\|[ |]*[\^_]+/.test(text)) {
      if (this.#source !== null && this.#errors.openLines === 0) {
        this.#errors.more(this.#source)
        this.#errors.more(text)
      }
    } else this.#source = /^ *\d+ \|/.test(text) ? text : null
  }

  /** The proposed change is as long as the code. */
  #help(text: string): void {
    this.#errors.more(text)
    this.#errors.close()
  }
}

export const ruff: DigestTool = {
  name: 'ruff',
  type: 'lint',
  command: /(?:^|[\s;&|/])ruff(?=\s|$)/,
  signs: [
    '\nFound ',
    ' --> ',
    '::error title=',
    '"cell":',
    'All checks passed!',
    'Would reformat: ',
    'already formatted',
  ],
  scan: () => new RuffScanner(),
}
