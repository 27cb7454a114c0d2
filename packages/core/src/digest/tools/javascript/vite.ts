import type { DigestTool, ToolReport, ToolScanner } from '../../digest-tool.ts'
import { ErrorList } from '../../reading/error-list.ts'
import { counted } from '../../../text/count-text.ts'

/** `vite build`, with Rolldown or Rollup, and both bundlers by themselves. */
export const vite: DigestTool = {
  name: 'vite',
  type: 'build',
  command: /(?:^|[\s/;&|("'])(?:vite\s+build|rollup|rolldown)(?=[\s;&|)"']|$)/,
  signs: ['error during build:', 'ERROR  Build failed with ', '[!] ', 'vite v'],
  scan: () => new ViteScanner(),
}

const COUNT = /^(?: ERROR {2})?Build failed with (\d+) errors?:/
const CODE = /^\[[A-Z_]+\] \S/
/** Rolldown draws the source below a message, with the place in its first line. */
const PLACE = /^\s{0,20}╭─\[ ?([^\]\s]+) ?\]/
const DRAWING = /^\s{0,20}(?:\d{1,9} ?)?[│╭╰─┬·]/
const SOURCE = /^\d{1,9}: |^\s*\^/
const FILE = /^file: (\S.*)$/
const BUILT = /^✓ built in \d/

class ViteScanner implements ToolScanner {
  readonly #errors = new ErrorList()
  /** `message`: the next non-empty line is a new error; `more`: it explains the last one. */
  #state: 'outside' | 'message' | 'more' | 'stack' = 'outside'
  #told = 0
  #built = false

  line(text: string): void {
    if (text.startsWith('error during build:')) return this.#begin()
    const count = COUNT.exec(text)
    if (count) {
      this.#told += Number(count[1])
      return this.#begin()
    }
    if (text.startsWith('[!] ')) {
      this.#errors.add(text.slice(4))
      this.#state = 'more'
    } else if (this.#state !== 'outside') {
      this.#inError(text)
    } else if (BUILT.test(text)) {
      this.#built = true
    }
  }

  end(): ToolReport | null {
    const { count, kept } = this.#errors
    const failures = Math.max(count, this.#told)
    if (failures === 0 && !this.#built) return null
    const summary = failures === 0 ? 'vite built it' : `${counted(failures, 'build error')}:`
    return { failures, summary, findings: kept, collected: null }
  }

  #begin(): void {
    this.#state = 'message'
  }

  #inError(text: string): void {
    const place = PLACE.exec(text)
    if (place) this.#errors.locate(place[1] ?? '')
    else if (CODE.test(text) || text.startsWith('[plugin ')) this.#add(text)
    else if (/^\s{4,}at /.test(text)) this.#state = this.#state === 'message' ? 'outside' : 'stack'
    else if (this.#state === 'stack')
      this.#state = text === '' || text.startsWith(' ') || text === '}' ? 'stack' : 'outside'
    else if (text !== '' && !DRAWING.test(text) && !SOURCE.test(text)) this.#say(text)
  }

  #say(text: string): void {
    const file = FILE.exec(text)
    if (this.#state === 'message') this.#add(text)
    else if (file) this.#locateFile(file[1] ?? '')
    else this.#errors.explain(text.trim())
  }

  #add(text: string): void {
    this.#errors.add(text)
    this.#state = 'more'
  }

  /** Rollup repeats the file below a message that begins with it. */
  #locateFile(file: string): void {
    const title = this.#errors.kept.at(-1)?.title ?? ''
    const named = /^(\S+) \(\d+:\d+\): /.exec(title)?.[1]
    if (named === undefined || !file.includes(named)) this.#errors.explain(file)
  }
}
