import type { DigestTool, ToolReport, ToolScanner } from '../../digest-tool.ts'
import { ErrorList } from '../../reading/error-list.ts'
import { counted } from '../../../text/count-text.ts'

/** webpack 4 and 5 with any loader. */
export const webpack: DigestTool = {
  name: 'webpack',
  type: 'build',
  command: /(?:^|[\s/;&|("'])webpack(?:-cli)?(?=[\s;&|)"']|$)/,
  signs: ['ERROR in ', ' compiled successfully', ' compiled with '],
  scan: () => new WebpackScanner(),
}

const TOTAL = /^webpack \S+ compiled with (?:(\d+) errors?)?/
const CLEAN = /^webpack \S+ compiled successfully/
/** The path of a loader, not the error. */
const LOADER = /^Module build failed \(from [^)]*\):$/
const NOISE =
  /^\s*(?:at |@ |\||\d+ \||> \d+ \||resolve '|using description|BREAKING CHANGE|\(probably because|You may need|File was|ts-loader-)/
/** "./src/t.ts 1:13-14" below "ERROR in /workspace/src/t.ts". */
const POSITION = /^\.\/\S+ \d+:\d+/
const MAX_LINES = 3

class WebpackScanner implements ToolScanner {
  readonly #errors = new ErrorList()
  #place: string | null = null
  #explaining = 0
  #told = 0
  #seen = false

  line(text: string): void {
    if (text.startsWith('ERROR in ')) {
      this.#flush()
      this.#place = text.slice(9).replace(/^\.\//, '')
      this.#explaining = 0
    } else if (this.#place !== null && !text.startsWith('webpack ') && !text.startsWith('WARNING in ')) {
      this.#message(text)
    } else if (text.startsWith('WARNING in ') || text.startsWith('webpack ')) {
      this.#explaining = 0
    } else if (this.#explaining > 0 && text !== '' && !text.startsWith(' ') && !NOISE.test(text)) {
      this.#explaining -= 1
      this.#errors.explain(text.trim())
    }
    if (text.startsWith('webpack ')) this.#total(text)
  }

  end(): ToolReport | null {
    this.#flush()
    const { count, kept } = this.#errors
    const failures = Math.max(count, this.#told)
    if (!this.#seen && count === 0) return null
    const summary = failures === 0 ? 'webpack compiled it' : `${counted(failures, 'build error')}:`
    return { failures, summary, findings: kept, collected: null }
  }

  /** The first line with an error is the title. */
  #message(text: string): void {
    if (text === '' || LOADER.test(text) || NOISE.test(text)) return
    if (text.startsWith('[tsl] ERROR') || POSITION.test(text)) {
      if (POSITION.test(text)) this.#place = text.replace(/^\.\//, '')
      return
    }
    this.#errors.add(`${this.#place ?? ''}: ${text.trim()}`)
    this.#place = null
    this.#explaining = MAX_LINES
  }

  #flush(): void {
    if (this.#place !== null) this.#errors.add(this.#place)
    this.#place = null
  }

  #total(text: string): void {
    const total = TOTAL.exec(text)
    if (total) this.#told += Number(total[1] ?? 0)
    if (total || CLEAN.test(text)) this.#seen = true
  }
}
