import { ErrorList } from '../../reading/error-list.ts'
import { FileSet } from '../../reading/lint-report.ts'

/** The most text that pieces may cut in two: longer messages are lost. */
const OVERLAP = 8 * 1024

/**
 * The marks of the document in their order: a file, its messages, the ones silenced by a comment, its sum. Texts that
 * quote such a document have a backslash before each quote and do not match.
 */
const MARK =
  /"filePath":"((?:[^"\\]|\\.){0,1000})"|"ruleId":(?:"([^"\\]{0,200})"|null),(?:"fatal":true,)?"severity":(\d),"message":"((?:[^"\\]|\\.){0,4000})","line":(\d{1,9}),"column":(\d{1,9})|"(suppressedMessages)":\[|"errorCount":(\d{1,9})/g

/** Reads the one long line of `eslint -f json` in pieces. */
export class EslintJson {
  readonly errors = new ErrorList()
  readonly files = new FileSet()
  told = 0
  seen = false
  #rest = ''
  #file = ''
  #silenced = false

  push(text: string): void {
    if (this.#rest === '' && !this.seen && !text.includes('"filePath":"')) return
    const whole = this.#rest + text
    let end = 0
    for (const match of whole.matchAll(MARK)) {
      end = match.index + match[0].length
      this.#mark(match)
    }
    this.#rest = whole.slice(Math.max(end, whole.length - OVERLAP))
  }

  #mark([, file, rule, severity, message, line, column, silenced, count]: RegExpMatchArray): void {
    if (file !== undefined) {
      this.#file = unquote(file)
      this.#silenced = false
    } else if (message !== undefined) {
      if (severity !== '2' || this.#silenced) return
      this.files.add(this.#file)
      this.errors.add(`${this.#file}:${line}:${column}  error  ${unquote(message)}${rule ? `  ${rule}` : ''}`)
    } else if (silenced !== undefined) {
      this.#silenced = true
    } else if (this.#file !== '') {
      this.seen = true
      this.told += Number(count)
    }
  }
}

function unquote(text: string): string {
  try {
    return String(JSON.parse(`"${text}"`)).replace(/\s+/g, ' ')
  } catch {
    return text // a control character that JSON does not allow: shown as it is
  }
}
