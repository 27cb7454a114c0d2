import { MAX_FINDINGS, MAX_NAMED, type Finding } from '../digest-tool.ts'
import { detached } from './detached.ts'

/** The limit for all names that are kept without detail. */
const MAX_CHARACTERS = 600_000

/**
 * The names of failures beyond those that are kept with details. Names tell any number of failures apart from those of
 * the base. Each name is kept once; if they do not fit, none is.
 */
export class FurtherFailures {
  readonly #names = new Set<string>()
  #characters = 0
  #overfull = false

  has(name: string): boolean {
    return this.#names.has(name)
  }

  add(name: string): void {
    if (this.#overfull || this.#names.has(name)) return
    this.#characters += name.length
    if (this.#names.size < MAX_NAMED - MAX_FINDINGS && this.#characters <= MAX_CHARACTERS) {
      this.#names.add(detached(name))
      return
    }
    this.#overfull = true
    this.#names.clear()
  }

  clear(): void {
    this.#names.clear()
    this.#characters = 0
    this.#overfull = false
  }

  get size(): number {
    return this.#names.size
  }

  list(): string[] {
    return [...this.#names]
  }
}

/** Failures of several reports as one list: details of the first ones, and the names of the others while they fit. */
export function boundedFindings(all: readonly Finding[]): Finding[] {
  const further = new FurtherFailures()
  for (const { title } of all.slice(MAX_FINDINGS)) further.add(title)
  return [...all.slice(0, MAX_FINDINGS), ...further.list().map(named)]
}

/** A failure with only its name. */
export const named = (title: string): Finding => ({ title, detail: '' })
