import { capDigest, DIGEST_LIMIT } from './cap.ts'

const MAX_LINE = 400
const CAUSES = 6
const AFTER = 4
const TAIL_LINES = 12
const TAIL_LINES_ALONE = 30
/** Characters of suspicious lines that are examined; the first cause does not come later. */
const BUDGET = 4 * 1024 * 1024

const TITLE_OF_TAIL = '\n\nEnd of the output:\n'
export const NO_OUTPUT = 'the command failed without any output'

/**
 * Each line that names a cause contains one of these, in lower, title or upper case. Without the first letter, one sign
 * often covers two cases.
 */
export const causeSigns =
  'rror|RROR|xception|XCEPTION|anic|PANIC|atal|FATAL|raceback|TRACEBACK|ssert|ASSERT|fail|Fail|FAIL|annot|CANNOT|ndefined ref|NDEFINED REF|ot found|OT FOUND|egmentation fault|illed|KILLED|✗|✕|●|×'.split(
    '|',
  )

/** The words of compilers, test runners and shells for a cause; whole words, or `failover` would count. */
const CAUSE =
  /\b(?:error|errors|exception|panic|fatal|traceback|assert|assertion|failed|failure|failures|fail|cannot|undefined reference|not found|segmentation fault|killed)\b|\w(?:Error|Exception)\b|[✗✕●×]/i
const HARMLESS = /\b(?:0|no) (?:errors?|failures?|failed|failing)\b|\b(?:failed|fail|failures|errors)[:=]? ?0\b/gi
/** A test that passed may well be called "reports an error". */
const PASSED = /^\s*(?:[✓✔√]|ok\b|PASS\b|--- PASS)/

/**
 * The digest of output that no tool knows: the first lines that name a cause, each with a little around it, then the
 * end of the output.
 */
export class GenericScanner {
  /** Lines that name a cause, with the lines around them. */
  readonly #shown: { at: number; text: string }[] = []
  readonly #causes: string[] = []
  readonly #tail: string[] = []
  #before: string | null = null
  #after = 0
  #at = 0
  #budget = BUDGET

  /** False once the causes are known: then only the end of the output matters. */
  get wantsCauses(): boolean {
    return (this.#causes.length < CAUSES || this.#after > 0) && this.#budget > 0
  }

  /** Lines of a piece that may name a cause, in order. */
  lines(lines: readonly string[]): void {
    for (const line of lines) {
      if (this.wantsCauses) this.#look(shorten(line))
      this.#at += 1
    }
    this.#end(lines)
  }

  /** Lines of a piece without any of `causeSigns`; only the first and the last ones matter. */
  plainLines(lines: readonly string[]): void {
    lines.slice(0, this.#after).forEach((line, at) => this.#show(shorten(line), this.#at + at))
    this.#before = lines.length === 0 ? this.#before : shorten(lines.at(-1) ?? '')
    this.#at += lines.length
    this.#end(lines)
  }

  /** Records that uninteresting lines were left out. */
  skip(): void {
    this.#at += 1000
    this.#before = null
  }

  /** The next lines are the context of a cause. */
  get wantsContext(): boolean {
    return this.#after > 0
  }

  /** The first lines that name a cause; the last lines if none does. */
  causes(): readonly string[] {
    return this.#causes.length > 0 ? this.#causes : this.#lastLines(TAIL_LINES)
  }

  text(limit = DIGEST_LIMIT): string {
    const tail = this.#lastLines(TAIL_LINES)
    if (tail.length === 0) return NO_OUTPUT
    const tailFrom = this.#at - this.#trailing() - tail.length
    const causes = this.#blocks(tailFrom)
    if (causes === '') return capDigest(this.#lastLines(TAIL_LINES_ALONE).join('\n'), limit)
    // The tail has the runner's summary, so it keeps half of the space even if the causes are long.
    const end = tail.join('\n')
    const room = Math.max(Math.floor(limit / 2), limit - end.length - TITLE_OF_TAIL.length)
    const shown = causes.length <= room ? causes : `${causes.slice(0, room - 1)}…`
    return capDigest(`${shown}${TITLE_OF_TAIL}${end}`, limit)
  }

  #look(line: string): void {
    this.#budget -= line.length
    if (this.#causes.length < CAUSES && namesCause(line)) {
      if (this.#before !== null && this.#shown.at(-1)?.at !== this.#at - 1) this.#show(this.#before, this.#at - 1)
      this.#causes.push(line.trim())
      this.#show(line, this.#at)
      this.#after = AFTER
    } else if (this.#after > 0) {
      this.#show(line, this.#at)
    }
    this.#before = line
  }

  #show(text: string, at: number): void {
    this.#shown.push({ at, text })
    this.#after = Math.max(0, this.#after - 1)
  }

  #end(lines: readonly string[]): void {
    const last = lines.length > 2 * TAIL_LINES_ALONE ? lines.slice(-2 * TAIL_LINES_ALONE) : lines
    this.#tail.push(...last.map(shorten))
    if (this.#tail.length > 4 * TAIL_LINES_ALONE) this.#tail.splice(0, this.#tail.length - 2 * TAIL_LINES_ALONE)
  }

  #blocks(tailFrom: number): string {
    const blocks: { last: number; lines: string[] }[] = []
    for (const { at, text } of this.#shown) {
      if (at >= tailFrom) break
      const block = blocks.at(-1)
      if (block && at <= block.last + 1) block.lines.push(text)
      else blocks.push({ last: at, lines: [text] })
      const current = blocks.at(-1)
      if (current) current.last = at
    }
    return blocks.map(({ lines }) => lines.join('\n').trim()).join('\n…\n')
  }

  #trailing(): number {
    let blank = 0
    while (blank < this.#tail.length && this.#tail.at(-1 - blank) === '') blank += 1
    return blank
  }

  #lastLines(count: number): string[] {
    const lines = this.#tail.slice(0, this.#tail.length - this.#trailing()).slice(-count)
    const from = lines.findIndex((line) => line !== '')
    return from < 0 ? [] : lines.slice(from).filter((line, at, all) => line !== '' || all[at - 1] !== '')
  }
}

/** A huge line (a bundle, a data dump) keeps its start, where tools put the message. */
const shorten = (line: string): string => (line.length <= MAX_LINE ? line : `${line.slice(0, MAX_LINE)}…`)

const namesCause = (line: string): boolean => !PASSED.test(line) && CAUSE.test(line.replace(HARMLESS, ''))
