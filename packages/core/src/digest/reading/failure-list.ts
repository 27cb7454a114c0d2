import { detached } from './detached.ts'
import { FurtherFailures, named } from './further-failures.ts'
import { MAX_FINDINGS, type Finding } from '../digest-tool.ts'
import { isObject } from '../../text/json-object.ts'

const DETAIL_LINES = 8
const DETAIL_LINE = 300
const TITLE = 500

/** Failures as a scanner meets them: counts all, and keeps the first ones, each once, with a few lines of detail. */
export class FailureList {
  readonly #kept = new Map<string, string[]>()
  /** The lines of the last failure, for `more`; null if it was not kept. */
  #open: string[] | null = null
  #count = 0
  readonly #further: FurtherFailures | null

  /** @param all whether failures beyond the first ones are named too */
  constructor({ all }: { all?: true } = {}) {
    this.#further = all === true ? new FurtherFailures() : null
  }

  /** Distinct titles. A title that is no longer kept counts every time. */
  get count(): number {
    return this.#count
  }

  /** False for a title that is already here. */
  add(title: string, detail: readonly string[] = []): boolean {
    const key = title.slice(0, TITLE)
    this.#open = null
    if (this.has(key)) return false
    this.#count += 1
    if (this.#kept.size >= MAX_FINDINGS) {
      this.#further?.add(key)
      return true
    }
    this.#open = []
    this.#kept.set(detached(key), this.#open)
    for (const line of detail) this.more(line)
    return true
  }

  /** One more line of detail for the last failure, while there is room. */
  more(line: string): void {
    if (this.#open && this.#open.length < DETAIL_LINES) this.#open.push(detached(line.slice(0, DETAIL_LINE)))
  }

  /** Changes the title of a failure once more is known, unless another one has it. */
  rename(from: string, to: string): void {
    const lines = this.#kept.get(from.slice(0, TITLE))
    const key = to.slice(0, TITLE)
    if (lines === undefined || this.#kept.has(key)) return
    const all = [...this.#kept]
    this.#kept.clear()
    for (const [title, detail] of all) this.#kept.set(detail === lines ? detached(key) : title, detail)
  }

  /** Later lines do not belong to the last failure. */
  close(): void {
    this.#open = null
  }

  get isOpen(): boolean {
    return this.#open !== null
  }

  /** The number of lines of the open failure; 0 if none is open. */
  get openLines(): number {
    return this.#open?.length ?? 0
  }

  has(title: string): boolean {
    const key = title.slice(0, TITLE)
    return this.#kept.has(key) || this.#further?.has(key) === true
  }

  titles(): string[] {
    return [...this.#kept.keys(), ...(this.#further?.list() ?? [])]
  }

  findings(): Finding[] {
    const first = [...this.#kept].map(([title, lines]): Finding => ({ title, detail: joinDetail(lines) }))
    return [...first, ...(this.#further?.list().map(named) ?? [])]
  }
}

/** Lines of detail as one text: without the indentation they share, and without blank lines around them. */
function joinDetail(lines: readonly string[]): string {
  const indents = lines.flatMap((line) => (line.trim() === '' ? [] : [line.length - line.trimStart().length]))
  const shared = Math.min(...indents, DETAIL_LINE)
  return lines
    .slice(0, DETAIL_LINES)
    .map((line) => line.slice(shared, shared + DETAIL_LINE).trimEnd())
    .join('\n')
    .replace(/^\n+/, '')
    .trimEnd()
}

/** The object in a line of JSON; null if it is not one, or was cut. */
export function jsonObject(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
