import type { DigestTool, ToolReport, ToolScanner } from '../../digest-tool.ts'
import { ErrorList } from '../../reading/error-list.ts'
import { counted } from '../../../text/count-text.ts'

/** TypeScript's compiler, plain and `--pretty`; `vue-tsc` and the type checks of other tools print the same. */
export const tsc: DigestTool = {
  name: 'tsc',
  type: 'build',
  command: /(?:^|[\s/;&|("'])(?:vue-)?tsc(?=[\s;&|)"']|$)/,
  signs: ['error TS', 'Found 0 errors.'],
  silent: true,
  scan: () => new TscScanner(),
}

const PLAIN = ': error TS'
const PRETTY = ' - error TS'
const NUMBER = /^TS\d+: ./

class TscScanner implements ToolScanner {
  readonly #errors = new ErrorList()
  #explains = false
  #clean = false

  line(text: string): void {
    const title = text.includes('error TS') ? titleOf(text) : null
    if (title !== null) {
      this.#errors.add(title)
      this.#explains = true
    } else if (this.#explains && text.startsWith('  ')) {
      // "The last overload gave the following error." and its consequences.
      this.#explains = this.#errors.explain(text.trim())
    } else {
      this.#explains = false
      if (text.includes('Found 0 errors.')) this.#clean = true
    }
  }

  end(): ToolReport | null {
    const { count, kept } = this.#errors
    if (count === 0 && !this.#clean) return null
    const summary = count === 0 ? 'tsc found no errors' : `${counted(count, 'build error')}:`
    return { failures: count, summary, findings: kept, collected: null }
  }
}

/** Both forms come out as "src/a.ts(3,5): error TS2322: …". */
function titleOf(line: string): string | null {
  if (line.startsWith('error TS')) return NUMBER.test(line.slice(6)) ? line : null
  const plain = line.indexOf(PLAIN)
  const pretty = plain >= 0 ? -1 : line.indexOf(PRETTY)
  const at = Math.max(plain, pretty)
  if (at < 0) return null
  const message = line.slice(at + (plain >= 0 ? PLAIN : PRETTY).length - 2)
  if (!NUMBER.test(message)) return null
  const place = line.slice(line.lastIndexOf(' ', at - 1) + 1, at)
  const file = plain >= 0 ? placed(place, place.lastIndexOf('('), ',') : placed(place, fromEnd(place, ':'), ':')
  return file === null ? null : `${file}: error ${message}`
}

const fromEnd = (text: string, mark: string): number => text.lastIndexOf(mark, text.lastIndexOf(mark) - 1)

/** "src/a.ts(3,5)" of a place whose position begins at `at`; null if it is not one. */
function placed(place: string, at: number, between: string): string | null {
  if (at <= 0) return null
  const [row = '', column = '', more] = place
    .slice(at + 1)
    .replace(/\)$/, '')
    .split(between)
  return more === undefined && /^\d+$/.test(row) && /^\d+$/.test(column)
    ? `${place.slice(0, at)}(${row},${column})`
    : null
}
