import type { DigestTool, ToolReport, ToolScanner } from '../../digest-tool.ts'
import { FailureList } from '../../reading/failure-list.ts'
import { counted } from '../../../text/count-text.ts'

const LOCATED = /^(\S[^:]*\.java:\d+): (error|warning): (.+)$/
const BARE =
  /^error: (?:file not found|warnings found and -Werror|invalid |no source files|release version |class names, |source option|target option|cannot |option |plug-in |invalid flag)/
const COUNT = /^(\d+) errors?$/
const SHOWN = /^only showing the first \d+ errors, of (\d+) total/
/** Maven prints the same compiler's errors in its own form, and again at the end of its output. */
const MAVEN = /^\[ERROR\] (\S[^[]*\.java):\[(\d+),(\d+)\] (.+)$/
/** Messages of the compiler about its options, which name no file. */
const MAVEN_OPTION =
  /^\[ERROR\] (?:error: )?((?:Source|Target|release) (?:option|version) \S{1,20} (?:is no longer|is not|not) supported.{0,100}|invalid (?:source|target) release: .{1,100})$/i
const MAVEN_REPEATS = /^\[ERROR\] Failed to execute goal /
const CONTEXT_LINES = 6

class JavacScanner implements ToolScanner {
  readonly #errors = new FailureList()
  #said = 0
  #shown = 0
  #seen = false

  line(raw: string): void {
    // Ant puts its task in front of each line.
    const text = raw.startsWith('    [javac] ') ? raw.slice(12) : raw
    const first = text.charCodeAt(0)
    if (first === 0x5b) this.#maven(text)
    else if (this.#errors.isOpen && this.#belongs(text)) this.#errors.more(text)
    else this.#own(text)
  }

  end(): ToolReport | null {
    const count = this.#errors.count
    if (!this.#seen && count === 0) return null
    // The count alone is no sign of javac: other tools print "2 errors" as well.
    const failures = count === 0 ? 0 : Math.max(count, this.#said, this.#shown)
    const summary = failures === 0 ? 'compiled without errors' : `${counted(failures, 'build error')}:`
    return { failures, summary, findings: this.#errors.findings(), collected: null }
  }

  #own(text: string): void {
    if (text.includes('rror')) {
      const count = COUNT.exec(text)
      if (count) this.#said += Number(count[1])
      const shown = SHOWN.exec(text)
      if (shown) this.#shown += Number(shown[1])
      if (BARE.test(text)) {
        this.#errors.add(text)
        this.#errors.close()
      }
    }
    if (!text.includes('.java:')) return
    const located = LOCATED.exec(text)
    if (!located) return
    this.#seen = true
    if (located[2] === 'error') this.#errors.add(text)
    else this.#errors.close()
  }

  /** The source, the mark below it, and javac's words about the symbol. */
  #belongs(text: string): boolean {
    if (LOCATED.test(text) || BARE.test(text) || /^\d+ (?:error|warning)s?$/.test(text)) this.#errors.close()
    else if (this.#errors.openLines > 1 && !text.startsWith(' ')) this.#errors.close()
    else if (this.#errors.openLines >= CONTEXT_LINES) this.#errors.close()
    return this.#errors.isOpen
  }

  #maven(text: string): void {
    this.#errors.close()
    if (MAVEN_REPEATS.test(text)) return
    const option = MAVEN_OPTION.exec(text)?.[1]
    if (option !== undefined) {
      this.#errors.add(`error: ${option}`)
      return this.#errors.close()
    }
    const found = text.includes('.java:[') ? MAVEN.exec(text) : null
    if (found) this.#errors.add(`${found[1]}:${found[2]}:${found[3]}: error: ${found[4]}`)
  }
}

export const javac: DigestTool = {
  name: 'javac',
  type: 'build',
  command: /(?:^|[\s;&|/])javac(?=\s|$)/,
  signs: [
    '.java:',
    'error: file not found',
    'error: warnings found',
    'error: invalid',
    'error: release version',
    'Source option ',
    'Target option ',
  ],
  silent: true,
  scan: () => new JavacScanner(),
}
