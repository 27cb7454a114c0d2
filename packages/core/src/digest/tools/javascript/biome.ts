import type { DigestTool, ToolReport, ToolScanner } from '../../digest-tool.ts'
import { ErrorList } from '../../reading/error-list.ts'
import { FileSet, lintReport } from '../../reading/lint-report.ts'

/** `biome check`, `lint`, `format` and `ci`. */
export const biome: DigestTool = {
  name: 'biome',
  type: 'lint',
  command: /(?:^|[\s/;&|("'])biome(?=[\s;&|)"']|$)/,
  signs: ['━━━━━━', ' fixes applied.'],
  scan: () => new BiomeScanner(),
}

const TOTAL = /^Found (\d+) errors?\./
const CHECKED = /^Checked \d+ files? in /
const MESSAGE = /^ {2}(\S) (\S.*)$/
const CATEGORY = /^(?:lint|assist|suppressions|internalError|configuration|fs)\/\S+$|^(?:parse|format|organizeImports)$/

class BiomeScanner implements ToolScanner {
  readonly #errors = new ErrorList()
  readonly #files = new FileSet()
  #head: { place: string; category: string } | null = null
  #told = 0
  #sure = false

  line(text: string): void {
    if (text.includes('━━━━━━')) {
      this.#head = headOf(text)
      return
    }
    const message = this.#head ? MESSAGE.exec(text) : null
    if (message && this.#head) {
      // The first line below the head is the message; more of them explain it.
      const { place, category } = this.#head
      this.#head = null
      if (message[1] !== '×' && message[1] !== '✖') return
      this.#files.add(place.replace(/:\d+:\d+$/, ''))
      this.#errors.add(`${place} ${category}: ${message[2]}`)
    } else if (TOTAL.test(text)) {
      this.#told += Number(TOTAL.exec(text)?.[1])
    } else if (CHECKED.test(text)) {
      this.#sure = true
    }
  }

  end(): ToolReport | null {
    if (!this.#sure && this.#errors.count === 0) return null
    return lintReport('Biome', this.#errors, this.#files.size, this.#told)
  }
}

/** "src/a.js:5:31 lint/correctness/noUnreachable  FIXABLE  ━━━"; null for the last one, which sums up. */
function headOf(line: string): { place: string; category: string } | null {
  const words = line
    .slice(0, line.indexOf('━'))
    .trim()
    .split(' ')
    .filter((word) => word !== '')
  if (words.at(-1) === 'FIXABLE') words.pop()
  const category = words.pop() ?? ''
  return words.length > 0 && CATEGORY.test(category) ? { place: words.join(' '), category } : null
}
