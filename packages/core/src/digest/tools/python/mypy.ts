import type { DigestTool, ToolReport, ToolScanner } from '../../digest-tool.ts'
import { FailureList, jsonObject, textOf } from '../../reading/failure-list.ts'
import { counted } from '../../../text/count-text.ts'

const LOCATED = /^(\S[^:]*\.pyi?|<string>)(:\d+(?::\d+){0,3})?: (error|note|warning): (.+)$/
/** An unreadable file may have any name. */
const UNREADABLE = /^[^:]+: error: (?:Cannot read file|Source file found twice|Cannot find)/
const OWN = /^mypy: (?:error: |can't )/
/** The error code at the end of a message. */
const CODE = /\[[\w-]+\]$/
const FOUND = /^Found (\d+) errors? in (\d+) files? \(/
const SUCCESS = /^Success: no issues found in \d+ source files?/
const WRAP_LINES = 6

class MypyScanner implements ToolScanner {
  readonly #errors = new FailureList()
  #found = 0
  #files = 0
  #success = false
  #place = ''
  /** The title whose message continues in the next line, as `--pretty` wraps it. */
  #wrapped: { title: string; lines: number } | null = null

  line(text: string): void {
    if (text.startsWith('{"file": ') || text.startsWith('{"file":')) this.#json(text)
    else if (this.#wrapped && this.#goesOn(this.#wrapped, text)) return
    else if (text.includes(': ')) this.#located(text)
    else this.#source(text)
  }

  end(): ToolReport | null {
    this.#flush()
    const failures = Math.max(this.#found, this.#errors.count)
    if (failures === 0 && !this.#success) return null
    const files = Math.max(this.#files, new Set(this.#errors.titles().map((title) => title.split(':')[0])).size)
    const summary =
      failures === 0 ? 'mypy found no errors' : `${counted(failures, 'lint error')} in ${counted(files, 'file')}:`
    return { failures, summary, findings: this.#errors.findings(), collected: null }
  }

  #located(text: string): void {
    const located = LOCATED.exec(text)
    if (located?.[3] === 'error') {
      this.#flush()
      this.#place = `${located[1]}${located[2] ?? ''}`
      this.#wrapped = { title: text, lines: 0 }
    } else if (located) {
      this.#flush()
      if (`${located[1]}${located[2] ?? ''}` === this.#place) this.#errors.more(`note: ${located[4]}`)
      else this.#errors.close()
    } else if (UNREADABLE.test(text) || OWN.test(text)) {
      this.#flush()
      this.#errors.add(text)
    } else if (SUCCESS.test(text)) this.#success = true
    else this.#source(text)
  }

  /** Whether the line continues a message: it is not indented, and neither a message nor a sum. */
  #goesOn(wrapped: { title: string; lines: number }, text: string): boolean {
    if (
      (wrapped.title.endsWith(']') && CODE.test(wrapped.title)) ||
      text === '' ||
      /^\s/.test(text) ||
      wrapped.lines >= WRAP_LINES
    ) {
      this.#flush()
      return false
    }
    if (LOCATED.test(text) || FOUND.test(text) || UNREADABLE.test(text) || SUCCESS.test(text)) return false
    wrapped.title += ` ${text}`
    wrapped.lines += 1
    return true
  }

  /** `--pretty` shows the line of code and a mark below it. */
  #source(text: string): void {
    this.#flush()
    const found = text.startsWith('Found ') ? FOUND.exec(text) : null
    if (found) {
      this.#found += Number(found[1])
      this.#files += Number(found[2])
      this.#errors.close()
    } else if (text.startsWith('    ')) this.#errors.more(text)
    else this.#errors.close()
  }

  #flush(): void {
    if (this.#wrapped) this.#errors.add(this.#wrapped.title.replace(/ {2,}\[/, ' ['))
    this.#wrapped = null
  }

  #json(text: string): void {
    this.#flush()
    const { file, line, column, message, code, severity, hint } = jsonObject(text) ?? {}
    if (typeof message !== 'string' || severity !== 'error') return
    // Columns begin with 0 in the JSON and with 1 in the text; -1 means the whole file.
    const place = typeof line === 'number' && line > 0 ? `:${line}:${Number(column) + 1}` : ''
    const mark = typeof code === 'string' ? ` [${code}]` : ''
    const notes = textOf(hint) === '' ? [] : textOf(hint).split('\n')
    this.#errors.add(
      `${textOf(file)}${place}: error: ${message}${mark}`,
      notes.map((note) => `note: ${note}`),
    )
  }
}

export const mypy: DigestTool = {
  name: 'mypy',
  type: 'lint',
  command: /(?:^|[\s;&|/])(?:d?mypy)(?=\s|$)/,
  signs: [': error: ', '"severity": "error"', 'Success: no issues found', "mypy: can't"],
  scan: () => new MypyScanner(),
}
