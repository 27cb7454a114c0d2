import type { DigestTool, ToolReport, ToolScanner } from '../../digest-tool.ts'
import { FailureList } from '../../reading/failure-list.ts'

const FAILED = /^(\S*make)(?:\.exe)?(?:\[(\d+)\])?: \*\*\* (.+)$/
/** A makefile that cannot be read: "Makefile:2: *** missing separator.  Stop." */
const SYNTAX = /^[^\s:]+:\d+: \*\*\* .+$/
const WAITING = /^Waiting for unfinished jobs/
/** A make that was started by make failed, and said why itself. */
const FOLLOWS = /\] Error 2$/

class MakeScanner implements ToolScanner {
  readonly #errors = new FailureList()
  #level = 0

  line(text: string): void {
    if (!text.includes(': *** ')) return
    const failed = FAILED.exec(text)
    if (failed) this.#failed(text, Number(failed[2] ?? 0), failed[3] ?? '')
    else if (SYNTAX.test(text)) this.#errors.add(text)
  }

  end(): ToolReport | null {
    const failures = this.#errors.count
    if (failures === 0) return null
    return {
      failures,
      summary: `make failed at ${failures} target(s):`,
      findings: this.#errors.findings(),
      collected: null,
    }
  }

  #failed(text: string, level: number, message: string): void {
    const inner = this.#level
    if (WAITING.test(message)) return
    this.#level = level
    if (level < inner && FOLLOWS.test(message)) return
    this.#errors.add(text)
  }
}

/** Says only which of its targets failed. Another tool says what failed there, and without errors make says nothing. */
export const make: DigestTool = {
  name: 'make',
  type: 'build',
  command: /(?:^|[\s;&|/])g?make(?=\s|$)/,
  signs: [': *** '],
  wraps: true,
  scan: () => new MakeScanner(),
}
