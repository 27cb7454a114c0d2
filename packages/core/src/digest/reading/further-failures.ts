import { MAX_FINDINGS, MAX_NAMED, type Finding } from '../digest-tool.ts'
import { detached } from './detached.ts'

/** Of all names that are kept without detail. */
const MAX_CHARACTERS = 600_000

/**
 * The names of failures beyond the first ones, which are kept with their details: a failure is told from those of the base by its
 * name, however many those are. Each name once, or none at all where they are more than fit.
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

/** A failure of which only the name is kept. */
export const named = (title: string): Finding => ({ title, detail: '' })
