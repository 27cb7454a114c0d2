import { jsonObject, textOf } from '../../reading/failure-list.ts'

const KEY = /^ {4}"(code|filename|message)": "((?:[^"\\]|\\.)*)",?$/
const PLACE = /^ {6}"(row|column)": (\d+),?$/

/** Reads `--output-format=json` by its indentation, one line at a time, and the lines of `json-lines`. */
export class RuffJson {
  #found: Record<string, string> = {}
  #location = false

  /** A finding's title, if this line completes it. */
  line(text: string): string | null {
    if (text.startsWith('{"cell":')) return fromLine(text)
    if (text === '  {') this.#found = {}
    else if (text.startsWith('    "')) this.#key(text)
    else if (this.#location) this.#place(text)
    else if (text === '  },' || text === '  }') return this.#title()
    return null
  }

  #key(text: string): void {
    this.#location = text === '    "location": {'
    const [, name, value] = KEY.exec(text) ?? []
    if (name !== undefined && value !== undefined) this.#found[name] = unquote(value)
  }

  #place(text: string): void {
    const [, name, value] = PLACE.exec(text) ?? []
    if (name !== undefined && value !== undefined) this.#found[name] = value
  }

  #title(): string | null {
    const { filename, row, column, code = 'invalid-syntax', message } = this.#found
    this.#found = {}
    if (filename === undefined || row === undefined || column === undefined || message === undefined) return null
    return `${filename}:${row}:${column}: ${code} ${message}`
  }
}

/** A line with a long fix is cut: the code, the file and its end come before the fix. */
function fromLine(text: string): string | null {
  const whole = jsonObject(text)
  if (whole) {
    const { row, column } = { row: 0, column: 0, ...Object(whole['location']) }
    const code = textOf(whole['code']) || 'invalid-syntax'
    return `${textOf(whole['filename'])}:${Number(row)}:${Number(column)}: ${code} ${textOf(whole['message'])}`
  }
  const code = /^\{"cell":[^,]{0,20},"code":"(\w+)"/.exec(text)?.[1]
  const file = /"filename":"((?:[^"\\]|\\.)*)"/.exec(text)?.[1]
  const row = /"end_location":\{[^}]{0,60}"row":(\d+)/.exec(text)?.[1]
  return code === undefined || file === undefined ? null : `${unquote(file)}:${row ?? 1}: ${code}`
}

const unquote = (text: string): string => textOf(jsonObject(`{"text":"${text}"}`)?.['text'])
