import type { DigestTool, ToolReport, ToolScanner } from '../../digest-tool.ts'
import { FailureList } from '../../reading/failure-list.ts'
import { FileSet } from '../../reading/lint-report.ts'
import { counted } from '../../../text/count-text.ts'

const HEADING = /^In (\S.{0,500}) line (\d{1,7}):$/
/** "  ^---^ SC2086 (info): Double quote …"; before 0.7 there was no level. */
const MARK = /^ {0,500}\^-{0,500}[-^]*\^?(?:--)? (SC\d{4})(?: \((error|warning|info|style)\))?: (.+)$/
const GCC = /^([^\s:[][^:]{0,500}):(\d{1,7}):(\d{1,7}): (error|warning|note): (.+ \[SC\d{4}\])$/
const JSON_COMMENT =
  /\{"file":"([^"]{1,500})","line":(\d{1,7}),"endLine":\d{1,7},"column":(\d{1,7}),"endColumn":\d{1,7},"level":"(\w{1,10})","code":(\d{1,6}),"message":"((?:[^"\\]|\\.){0,500})"/g

/** A comment that a piece cuts in two is no longer than this. */
const MAX_HELD = 2000

/** ShellCheck's format for people, `-f gcc` and `-f json`. Every finding fails it, whatever the level. */
export const shellcheck: DigestTool = {
  name: 'shellcheck',
  type: 'lint',
  command: /(?:^|[\s/;&|("'])shellcheck(?=[\s;&|)"']|$)/,
  signs: ['^-- SC', '^ SC', ' [SC', '"level":"'],
  silent: true,
  scan: () => new ShellCheckScanner(),
}

class ShellCheckScanner implements ToolScanner {
  /** Errors and warnings, which come first: style alone rarely fails a build. */
  readonly #grave = new FailureList()
  readonly #slight = new FailureList()
  readonly #files = new FileSet()
  #place: string | null = null
  #source: string | null = null
  /** The end of a document that is one long line. */
  #held = ''

  raw(text: string): void {
    if (this.#held === '' && !text.includes('"level":"')) return
    const json = this.#held + text
    let end = 0
    for (const found of json.matchAll(JSON_COMMENT)) {
      const [, file = '', line, column, level = '', code, said] = found
      end = found.index + found[0].length
      this.#files.add(file)
      this.#add(level, `${file}:${line}:${column}: SC${code} (${level}): ${said?.replaceAll('\\"', '"')}`, '')
    }
    this.#held = json.slice(Math.max(end, json.length - MAX_HELD))
  }

  line(text: string): void {
    if (text.startsWith('In ')) return this.#heading(text)
    if (this.#place !== null && text.includes(' SC')) {
      const [, code, level = 'warning', said] = MARK.exec(text) ?? []
      if (code !== undefined) return this.#add(level, `${this.#place}: ${code} (${level}): ${said}`, this.#source ?? '')
    }
    if (this.#place !== null && this.#source === null) this.#source = text
    else if (text.endsWith(']')) this.#gcc(text)
  }

  end(): ToolReport | null {
    const failures = this.#grave.count + this.#slight.count
    if (failures === 0) return null
    const findings = [...this.#grave.findings(), ...this.#slight.findings()].slice(0, 200)
    const summary = `${counted(failures, 'lint error')} in ${counted(Math.max(1, this.#files.size), 'file')} (ShellCheck):`
    return { failures, summary, findings, collected: null }
  }

  #heading(text: string): void {
    const [, file, line] = HEADING.exec(text) ?? []
    if (file === undefined) return
    this.#files.add(file)
    this.#place = `${file}:${line}`
    this.#source = null
  }

  #gcc(text: string): void {
    const [, file, line, column, level = '', said] = GCC.exec(text) ?? []
    if (file === undefined) return
    this.#files.add(file)
    this.#add(level, `${file}:${line}:${column}: ${level}: ${said}`, '')
  }

  #add(level: string, title: string, source: string): void {
    const list = level === 'error' || level === 'warning' ? this.#grave : this.#slight
    list.add(title, source === '' ? [] : [source.trim()])
  }
}
