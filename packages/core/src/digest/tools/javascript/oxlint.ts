import type { DigestTool, ToolReport, ToolScanner } from '../../digest-tool.ts'
import { ErrorList } from '../../reading/error-list.ts'
import { FileSet, lintReport } from '../../reading/lint-report.ts'

/** oxlint's default format and `--format json`; `--format stylish` is read as ESLint's. */
export const oxlint: DigestTool = {
  name: 'oxlint',
  type: 'lint',
  command: /(?:^|[\s/;&|("'])oxlint(?=[\s;&|)"']|$)/,
  signs: ['   ,-[', '   ╭─[', ' and 0 errors.', '"diagnostics": [{"message":', 'No files found to lint.'],
  scan: () => new OxlintScanner(),
}

const MESSAGE = /^ {2}([x×!⚠]) (\S.*)$/
const PLACE = /^ {3,12}(?:,-|╭─)\[([^\]\s]+)\]/
const TOTAL = /^Found \d+ warnings? and (\d+) errors?\./
const RULED = /^[\w-]+\([\w/-]+\): /

class OxlintScanner implements ToolScanner {
  readonly #errors = new ErrorList()
  readonly #files = new FileSet()
  #message: { error: boolean; text: string } | null = null
  #told = 0
  /** Other tools draw the same pictures. */
  #sure = false

  line(text: string): void {
    if (this.#message) this.#place(text)
    const message = MESSAGE.exec(text)
    if (message) {
      const [, mark = '', said = ''] = message
      this.#message = { error: mark === 'x' || mark === '×', text: said }
      if (RULED.test(said)) this.#sure = true
    } else if (text.startsWith('Found ')) {
      const total = TOTAL.exec(text)
      if (!total) return
      this.#sure = true
      this.#told += Number(total[1])
    } else if (text.includes('"severity": "error"')) {
      this.#json(text)
    } else if (text.startsWith('No files found to lint.')) {
      this.#sure = true
      this.#errors.add(text)
    }
  }

  end(): ToolReport | null {
    return this.#sure ? lintReport('oxlint', this.#errors, this.#files.size, this.#told) : null
  }

  #place(text: string): void {
    const file = PLACE.exec(text)?.[1]
    if (file === undefined || !this.#message) return
    if (this.#message.error) {
      this.#files.add(file.replace(/:\d+:\d+$/, ''))
      this.#errors.add(`${file}: ${this.#message.text}`)
    }
    this.#message = null
  }

  /** Each diagnostic is on its own line, in a list that begins before the first one. */
  #json(text: string): void {
    const found = diagnosticIn(text.slice(text.indexOf('{"message"'), text.lastIndexOf('}') + 1))
    if (!found) return
    this.#sure = true
    this.#files.add(found.file)
    this.#errors.add(`${found.file}${found.place}: ${found.text}`)
  }
}

type Diagnostic = {
  message?: unknown
  code?: unknown
  filename?: unknown
  labels?: { span?: { line?: unknown; column?: unknown } }[]
}

function diagnosticIn(json: string): { file: string; place: string; text: string } | null {
  let value: Diagnostic
  try {
    value = JSON.parse(json) as Diagnostic
  } catch {
    return null // cut, or another tool's
  }
  const { message, code, filename, labels } = value
  if (typeof message !== 'string' || typeof filename !== 'string') return null
  const span = Array.isArray(labels) ? labels[0]?.span : undefined
  const place = span ? `:${String(span.line)}:${String(span.column)}` : ''
  return { file: filename, place, text: typeof code === 'string' ? `${code}: ${message}` : message }
}
