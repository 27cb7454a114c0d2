import { bodyOf } from './body.ts'
import { endWords } from './end-words.ts'
import { callOf, clip, isAgents, namedLine, resultOf, sectionEndOf, type LogLine } from './log-lines.ts'
import { markOf } from './mark.ts'
import type { MarkKind, Step, StepOf } from './step.ts'

/** The most characters of an agent's words in one step; the log has the rest. */
const SAID_CHARACTERS = 30_000
/** Sub-agents have no sub-agents; a deeper line only looks like one of theirs. */
const DEEPEST = 2

/**
 * The steps in some lines of a log. It may begin at any line; a line that belongs to an earlier step is shown as it is,
 * so that a reader can begin at any block. Further lines change only the last step and the calls that wait.
 */
export function readSteps(lines: readonly LogLine[], depth = 0): Step[] {
  const reader = new StepReader(lines, depth)
  while (reader.more) reader.next()
  return reader.steps
}

class StepReader {
  readonly steps: Step[] = []
  readonly #lines: readonly LogLine[]
  readonly #depth: number
  readonly #waiting: StepOf<'call'>[] = []
  #at = 0

  constructor(lines: readonly LogLine[], depth: number) {
    this.#lines = lines
    this.#depth = depth
  }

  get more(): boolean {
    return this.#at < this.#lines.length
  }

  next(): void {
    const line = this.#lines[this.#at]!
    const [first, whole] = [line.n, line.text]
    if (whole === null) return this.#gap(first)
    const text = clip(whole)
    if (text.startsWith('› ')) return this.#said(first)
    const call = text.startsWith('⚙ ') ? callOf(text) : null
    if (call) return this.#call(first, call)
    const result = text.startsWith('✓ ') || text.startsWith('✗ ') ? resultOf(text) : null
    if (result) return this.#result(first, result)
    if (text.startsWith('§ ')) return this.#section(first, text)
    if (text.startsWith('⑂ ') && this.#depth < DEEPEST && namedLine(text)) return this.#threads()
    if (text.startsWith('= ')) return this.#end(first)
    const mark = markOf(text)
    if (mark) {
      this.#at++
      const body = mark.of === 'handover' ? this.#indented() : []
      const more = mark.of === 'warning' || mark.of === 'note' ? this.#same(mark.of) : ''
      const last = body.at(-1)?.n ?? this.#before
      const held = body.length === 0 ? null : bodyOf(body, first + 1, 2)
      return void this.steps.push({ is: 'mark', of: mark.of, text: mark.text + more, body: held, first, last })
    }
    this.#output(first)
  }

  /** Number of the line before the next one. */
  get #before(): number {
    return this.#lines[this.#at - 1]!.n
  }

  #take(fits: (text: string) => boolean): LogLine[] {
    const from = this.#at
    while (this.more) {
      const { text } = this.#lines[this.#at]!
      if (text === null || !fits(text)) break
      this.#at++
    }
    return this.#lines.slice(from, this.#at)
  }

  #indented(): LogLine[] {
    return this.#take((text) => text.startsWith('  '))
  }

  #gap(first: number): void {
    while (this.#lines[this.#at]?.text === null) this.#at++
    this.steps.push({ is: 'gap', first, last: this.#before })
  }

  #said(first: number): void {
    const said = this.#take((text) => text.startsWith('› '))
    let [text, cut] = ['', 0]
    for (const line of said) {
      const words = line.text?.slice(2) ?? ''
      const kept = words.slice(0, Math.max(0, SAID_CHARACTERS - text.length))
      cut += words.length - kept.length
      if (kept !== '' || words === '') text += `${kept.toWellFormed()}\n`
    }
    this.steps.push({ is: 'said', text: text.trimEnd(), cut, first, last: this.#before })
  }

  #call(first: number, { tool, given }: { tool: string; given: string }): void {
    this.#at++
    const call: StepOf<'call'> = { is: 'call', tool, given, result: null, first, last: first }
    this.steps.push(call)
    this.#waiting.push(call)
  }

  #result(first: number, { ok, tool, took }: { ok: boolean; tool: string; took: string }): void {
    this.#at++
    const body = bodyOf(this.#indented(), first + 1, 2)
    const result = { ok, took, body }
    const last = this.#before
    const waits = this.#waiting.findIndex((one) => one.tool === tool)
    const [call] = waits < 0 ? [] : this.#waiting.splice(waits, 1)
    if (call) Object.assign(call, { result, last })
    else this.steps.push({ is: 'result', tool, result, first, last })
  }

  #section(first: number, text: string): void {
    const ended = sectionEndOf(text)
    this.#at++
    if (ended) {
      const { title, ...end } = ended
      return void this.steps.push({ is: 'border', title, command: '', end, first, last: first })
    }
    const title = text.slice(2)
    const commands = this.#take((one) => one.startsWith('$ '))
    const command = commands
      .map((one) => clip(one.text ?? '').slice(2))
      .join('\n')
      .slice(0, 4096)
    const end = this.#endOf(title)
    if (end === 'talks') {
      return void this.steps.push({ is: 'border', title, command, end: null, first, last: this.#before })
    }
    const inside = this.#lines.slice(this.#at, end.at)
    this.#at = end.at + (end.end ? 1 : 0)
    const body = bodyOf(inside, this.#lines[this.#at - 1]!.n, 0)
    this.steps.push({ is: 'section', title, command, end: end.end, body, first, last: this.#before })
  }

  /** The end of a section, or "talks" if the agent speaks within it. */
  #endOf(title: string): 'talks' | { at: number; end: { exit: number | null; took: string } | null } {
    for (let at = this.#at; at < this.#lines.length; at++) {
      const { text } = this.#lines[at]!
      if (text === null) return { at, end: null }
      if (isAgents(clip(text))) return 'talks'
      if (!text.startsWith('§ ')) continue
      const ended = sectionEndOf(clip(text))
      if (ended?.title === title) return { at, end: { exit: ended.exit, took: ended.took } }
      return { at, end: null } // another section begins, so this one never ended
    }
    return { at: this.#lines.length, end: null }
  }

  /**
   * Sub-agents may work at the same time: the lines of each become a thread of its own, as far as they are adjacent.
   */
  #threads(): void {
    const found = new Map<string, { agent: string; sub: number; lines: LogLine[] }>()
    for (const { n, text } of this.#take((one) => one.startsWith('⑂ '))) {
      const named = namedLine(text ?? '')
      if (!named) continue
      const key = `${named.agent}#${named.sub}`
      const thread = found.get(key) ?? { agent: named.agent, sub: named.sub, lines: [] }
      found.set(key, thread)
      thread.lines.push({ n, text: named.text })
    }
    for (const { agent, sub, lines } of found.values()) this.steps.push(threadOf(agent, sub, lines, this.#depth))
  }

  #end(first: number): void {
    const lines = this.#take((text) => text.startsWith('= '))
    const text = lines
      .map((line) => clip(line.text ?? '').slice(2))
      .join('\n')
      .slice(0, SAID_CHARACTERS)
    this.steps.push({ is: 'end', text: endWords(text), first, last: this.#before })
  }

  /** The next lines of the same kind: a warning of several lines. */
  #same(kind: MarkKind): string {
    const lines = this.#take((text) => markOf(clip(text))?.of === kind)
    return lines
      .map(({ text }) => `\n${clip(text ?? '').slice(2)}`)
      .join('')
      .slice(0, SAID_CHARACTERS)
  }

  #output(first: number): void {
    this.#at++
    const from = this.#at - 1
    this.#take((text) => !begins(text))
    const body = bodyOf(this.#lines.slice(from, this.#at), first, 0)
    this.steps.push({ is: 'output', body, first, last: this.#before })
  }
}

function begins(whole: string): boolean {
  if (!/^[›⚙✓✗§⑂=·!#]/.test(whole)) return false
  const text = clip(whole)
  return /^[›§⑂=] /.test(text) || callOf(text) !== null || resultOf(text) !== null || markOf(text) !== null
}

/** Its task and its end are its first and last words. */
function threadOf(agent: string, sub: number, lines: LogLine[], depth: number): Step {
  const begun = lines.filter(({ text }) => text?.startsWith('§ '))
  const ended = lines.filter(({ text }) => text?.startsWith('= '))
  const rest = lines.filter((line) => !begun.includes(line) && !ended.includes(line))
  const words = (of: LogLine[]) =>
    of
      .map(({ text }) => clip(text ?? '').slice(2))
      .join('\n')
      .slice(0, SAID_CHARACTERS)
  return {
    is: 'thread',
    agent,
    sub,
    task: words(begun),
    end: words(ended),
    steps: readSteps(rest, depth + 1),
    first: lines[0]!.n,
    last: lines.at(-1)!.n,
  }
}
