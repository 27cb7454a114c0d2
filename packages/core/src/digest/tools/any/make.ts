import type { DigestTool, ToolReport, ToolScanner } from '../../digest-tool.ts'
import { isAftermath } from '../../reading/aftermath.ts'
import { FailureList } from '../../reading/failure-list.ts'
import { MakeFolder } from '../../reading/make-folder.ts'
import { counted } from '../../../text/count-text.ts'

const FAILED = /^(\S*make)(?:\.exe)?(?:\[(\d+)\])?: \*\*\* (.+)$/
/** A makefile that cannot be read: "Makefile:2: *** missing separator.  Stop." */
const SYNTAX = /^[^\s:]+:\d+: \*\*\* .+$/
const WAITING = /^Waiting for unfinished jobs/
/** "[Makefile:3: sub/app] Error 2": the exit code is from make itself, or from a loop over folders. */
const FOLLOWS = /\] Error [12]$/
const MOVING = /^\S*make(?:\[\d+\])?: (?:Entering|Leaving) directory |^\S*make(?:\[\d+\])?: Nothing to be done/
/** No command ran that could have given a reason. */
const NO_RECIPE = /^No (?:rule|targets)|^missing separator/
const SAID = 6

class MakeScanner implements ToolScanner {
  readonly #errors = new FailureList()
  readonly #folder = new MakeFolder()
  /** Lines that were printed before a target failed. */
  #said: string[] = []
  #level = 0

  line(text: string): void {
    if (text === '') return
    this.#folder.line(text)
    if (text.includes(': *** ')) {
      const failed = FAILED.exec(text)
      if (failed) return this.#failed(text, Number(failed[2] ?? 0), failed[3] ?? '')
      if (SYNTAX.test(text)) return void this.#errors.add(text)
    }
    if (text.endsWith("'") && MOVING.test(text)) {
      this.#said = []
      return
    }
    if (isAftermath(text)) return
    this.#said.push(text)
    if (this.#said.length > 4 * SAID) this.#said = this.#said.slice(-SAID)
  }

  end(): ToolReport | null {
    const failures = this.#errors.count
    if (failures === 0) return null
    return {
      failures,
      summary: `make failed at ${counted(failures, 'target')}:`,
      findings: this.#errors.findings(),
      collected: null,
    }
  }

  #failed(text: string, level: number, message: string): void {
    const inner = this.#level
    if (WAITING.test(message)) return
    this.#level = level
    if (level < inner && FOLLOWS.test(message)) return
    const folder = this.#folder.path
    this.#errors.add(
      folder === '' ? text : `${text} (in ${folder})`,
      NO_RECIPE.test(message) ? [] : this.#said.slice(-SAID),
    )
    this.#said = []
  }
}

/** Reports only the targets that failed. Another tool says why, and without errors make says nothing. */
export const make: DigestTool = {
  name: 'make',
  type: 'build',
  command: /(?:^|[\s;&|/])g?make(?=\s|$)/,
  signs: [': *** ', ']: Entering directory '],
  wraps: true,
  scan: () => new MakeScanner(),
}
