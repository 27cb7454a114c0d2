import type { DigestTool, ToolReport, ToolScanner } from '../../digest-tool.ts'
import { FailureList, jsonObject, textOf } from '../../reading/failure-list.ts'
import { counted } from '../../../text/count-text.ts'

/*
 * `go build` and `go vet` print the same lines. The compiler's follow one "# package"; vet's follow a second
 * "# [package]", or "vet: ", or nothing. Packages that cannot be loaded have no head either.
 */

const PLACED = /^(vet: )?(\S[^:]*\.(?:go|s|mod|work):\d+(?::\d+)?: .+)$/
/** cgo's C compiler and the linker have lines of their own. */
const LINK =
  /^(?:\S+: relocation target .+ not defined|\S*link: .+|\S*\/link: running .+ failed: .+|duplicated definition of symbol .+)$/
const LOAD =
  /: (?:no required module provides|package \S+ is not in|cannot find (?:package|module)|import cycle|use of internal package|found packages |no Go files|build constraints exclude|expected '|missing go\.sum entry|module .+ found |import ")/
/** Messages that `go` prints before any package. */
const COMMAND =
  /^(?:go: .*(?:cannot find main module|errors parsing|updates to go\.mod|inconsistent|missing go\.sum|no such tool|unknown|requires ).*|pattern \S+: .+|no Go files in .+|package \S+ is not in .+)$/
const LIMIT = /: too many errors$/
/** From here on tests print anything, and only lines below a head count. */
const TESTING = /^(?:=== RUN|--- (?:FAIL|PASS|SKIP)|ok {2}\t|FAIL\t|\?   \t)/

class GoScanner implements ToolScanner {
  readonly #vet: boolean
  readonly #errors = new FailureList()
  #head: 'none' | 'build' | 'vet' = 'none'
  #testing = false
  #position: string | null = null

  constructor(vet: boolean) {
    this.#vet = vet
  }

  line(text: string): void {
    if (text.startsWith('{"')) this.#event(text)
    else this.#read(text)
  }

  end(): ToolReport | null {
    const failures = this.#errors.count
    if (failures === 0) return null
    const files = new Set(this.#errors.titles().map((title) => title.split(':')[0])).size
    const summary = this.#vet
      ? `${counted(failures, 'lint error')} in ${counted(files, 'file')}:`
      : `${counted(failures, 'build error')}:`
    return { failures, summary, findings: this.#errors.findings(), collected: null }
  }

  #read(text: string): void {
    if (text.startsWith('# ')) this.#head = /^# \[.*\]$/.test(text) ? 'vet' : 'build'
    else if (text.startsWith('\t')) this.#indented(text)
    else if (text.includes(': ')) this.#margin(text)
    else this.#outside(text)
  }

  #margin(text: string): void {
    const placed = PLACED.exec(text)
    if (placed) this.#placed(placed[2] ?? '', placed[1] !== undefined)
    else if (this.#head === 'build' && LINK.test(text)) this.#add(text, false)
    else if (this.#head === 'none' && !this.#testing && COMMAND.test(text)) this.#add(text, false)
    else this.#outside(text)
  }

  #placed(text: string, vet: boolean): void {
    if (LIMIT.test(text) || (this.#head === 'none' && this.#testing)) return this.#errors.close()
    this.#add(text, !LOAD.test(text) && (vet || this.#head !== 'build'))
  }

  #add(text: string, vet: boolean): void {
    if (vet === this.#vet) this.#errors.add(text)
    else this.#errors.close()
  }

  #outside(text: string): void {
    this.#errors.close()
    this.#testing ||= TESTING.test(text)
    if (!text.startsWith('\t')) this.#head = 'none'
  }

  /** The explanation of an error ("have", "want"), or a line of `go vet -json`. */
  #indented(text: string): void {
    if (this.#errors.isOpen) return this.#errors.more(text)
    if (!this.#vet) return
    if (!text.includes('"posn": ') && !text.includes('"message": ')) return
    const [, key, value] = /^\t+"(posn|message)": ("(?:[^"\\]|\\.)*"),?$/.exec(text) ?? []
    if (key === 'posn') this.#position = unquote(value)
    else if (key === 'message' && this.#position !== null) {
      this.#errors.add(`${this.#position}: ${unquote(value)}`)
      this.#errors.close()
      this.#position = null // the next messages are about proposed changes
    }
  }

  /** `go build -json` and `go test -json` wrap the compiler's lines. */
  #event(text: string): void {
    if (!text.includes('"Action":"build-output"')) return
    this.#read(textOf(jsonObject(text)?.['Output']).replace(/\n$/, ''))
  }
}

const unquote = (quoted: string | undefined): string => textOf(jsonObject(`{"text":${quoted ?? '""'}}`)?.['text'])

const sources = ['.go:', '.mod:', 'relocation target', 'pattern ./', 'go: ', 'no Go files in']

export const goBuild: DigestTool = {
  name: 'go-build',
  type: 'build',
  command: /(?:^|[\s;&|/])go\s+(?:build|install|run|generate)(?=\s|$)/,
  signs: sources,
  silent: true,
  scan: () => new GoScanner(false),
}

export const goVet: DigestTool = {
  name: 'go-vet',
  type: 'lint',
  command: /(?:^|[\s;&|/])go\s+vet(?=\s|$)/,
  signs: ['.go:'],
  silent: true,
  scan: () => new GoScanner(true),
}
