import type { DigestTool, ToolReport, ToolScanner } from '../../digest-tool.ts'
import { EslintJson } from './eslint-json.ts'
import { ErrorList } from '../../reading/error-list.ts'
import { FileSet, lintReport } from '../../reading/lint-report.ts'

/** ESLint's default format (stylish), `-f json`, and XO's format (eslint-formatter-pretty). */
export const eslint: DigestTool = {
  name: 'eslint',
  type: 'lint',
  command: /(?:^|[\s/;&|("'])(?:eslint(?:_d)?|xo)(?=[\s;&|)"']|$)/,
  signs: [
    '  error  ',
    '  ✖  ',
    'problem (',
    'problems (',
    'Oops! Something went wrong',
    '"fatalErrorCount":',
    '{"filePath":"',
    'ESLint found too many',
  ],
  silent: true,
  scan: () => new EslintScanner(),
}

const MESSAGE = /^\s*\d+:\d+\s+(error|warning)\s+\S/
/** The line before it has the file, with the place of its first error. */
const PRETTY = /^\s{0,6}([✖⚠])\s+(\d+:\d+)\s+(\S.*)$/
const PRETTY_FILE = /^\s{1,6}(\S.{0,500}?):\d+:\d+$/
const PRETTY_TOTAL = /^\s+(\d+) errors?$/
/** yamllint's lines are the same, but its rules are in brackets. */
const YAMLLINT = / \([a-z][a-z-]{1,40}\)$/
const TOTAL = /^✖ \d+ problems? \((\d+) errors?, \d+ warnings?\)/
const TOO_MANY = /^ESLint found too many warnings \(maximum: \d+\)/
const VERSION = /^ESLint: \d/

class EslintScanner implements ToolScanner {
  readonly #errors = new ErrorList()
  readonly #files = new FileSet()
  readonly #json = new EslintJson()
  #file = ''
  #told = 0
  #seen = false
  #isPretty = false
  /** `broken` after its apology, `named` after its version: then the reason is next. */
  #crash: 'none' | 'broken' | 'named' | 'told' = 'none'

  raw(text: string): void {
    this.#json.push(text)
  }

  line(text: string): void {
    const found = YAMLLINT.test(text) ? null : MESSAGE.exec(text)
    if (found) {
      this.#seen = true
      if (found[1] !== 'error') return
      this.#files.add(this.#file)
      this.#errors.add(this.#file === '' ? text.trim() : `${this.#file}:${text.trim()}`)
    } else if (text !== '' && !text.startsWith(' ')) {
      this.#heading(text)
    } else {
      this.#pretty(text)
    }
  }

  end(): ToolReport | null {
    if (this.#json.seen) return lintReport('ESLint', this.#json.errors, this.#json.files.size, this.#json.told)
    return this.#seen ? lintReport('ESLint', this.#errors, this.#files.size, this.#told) : null
  }

  #pretty(text: string): void {
    const [, sign, place = '', message = ''] = PRETTY.exec(text) ?? []
    const file = PRETTY_FILE.exec(text)?.[1]
    if (sign !== undefined) {
      this.#seen = true
      this.#isPretty = true
      if (sign === '⚠') return
      this.#files.add(this.#file)
      this.#errors.add([...(this.#file === '' ? [] : [this.#file]), `${place}  ${message}`].join(':'))
    } else if (file !== undefined) this.#file = file
    else if (this.#isPretty) this.#told += Number(PRETTY_TOTAL.exec(text)?.[1] ?? 0)
  }

  #heading(text: string): void {
    const total = TOTAL.exec(text)
    if (total) {
      this.#seen = true
      this.#told += Number(total[1])
    } else if (TOO_MANY.test(text)) {
      this.#seen = true
      this.#errors.add(text)
    } else if (text.startsWith('Oops! Something went wrong')) {
      this.#crash = 'broken'
    } else if (this.#crash === 'broken' && VERSION.test(text)) {
      this.#crash = 'named'
    } else if (this.#crash === 'named') {
      this.#crash = 'told'
      this.#seen = true
      this.#errors.add(`ESLint itself failed: ${text}`)
    } else if (/[./\\]/.test(text)) {
      this.#file = text.trim()
    }
  }
}
