import type { LogSection } from '@beadloom/core/api.ts'
import { allLines, LineMap, without } from './line-map.ts'

/** Sections in the order of their first lines; those that contain a line, outermost first. */
export function sectionsAt(sections: readonly LogSection[], line: number): LogSection[] {
  const found: LogSection[] = []
  for (const section of sections) {
    if (section.first > line) break
    if ((section.last ?? Number.POSITIVE_INFINITY) >= line) found.push(section)
  }
  return found
}

/** Above or below a line, the nearest first line of a section; null when there is none. */
export function sectionStep(sections: readonly LogSection[], line: number, by: 1 | -1): number | null {
  const next = by === 1 ? sections.find(({ first }) => first > line) : sections.findLast(({ first }) => first < line)
  return next?.first ?? null
}

/** It is over and has more than its own first line. */
const isFoldable = ({ first, last }: LogSection): boolean => last !== null && last > first
const hasFailed = ({ exit }: LogSection): boolean => exit !== null && exit !== 0

/** Which sections are folded: only their first lines are rows then. */
export class LogFolds {
  sections: readonly LogSection[] = []
  map: LineMap = allLines
  #heads = new Map<number, LogSection>()
  readonly #folded = new Set<number>()
  /** Finished sections fold by themselves; those that failed, and those that a person has opened, do not. */
  #byItself = false
  readonly #opened = new Set<number>()

  setSections(sections: readonly LogSection[]): void {
    this.sections = sections
    this.#heads = new Map(sections.filter(isFoldable).map((section) => [section.first, section]))
    if (this.#byItself) this.#foldFinished()
    this.#rebuild()
  }

  setFoldFinished(on: boolean): void {
    if (on === this.#byItself) return
    this.#byItself = on
    this.#opened.clear()
    if (on) this.#foldFinished()
    else this.#folded.clear()
    this.#rebuild()
  }

  isFolded(first: number): boolean {
    return this.#folded.has(first)
  }

  /** The section whose head a line is, if it can be folded. */
  headAt(line: number): LogSection | null {
    return this.#heads.get(line) ?? null
  }

  /** Folds or opens the innermost section around a line; returns its first line, null without one. */
  toggle(line: number): number | null {
    const section = sectionsAt(this.sections, line).findLast(isFoldable)
    if (!section) return null
    if (this.#folded.has(section.first)) this.#open(section.first)
    else this.#folded.add(section.first)
    this.#rebuild()
    return section.first
  }

  /** All are folded, or when all are, opened. */
  toggleAll(): void {
    const all = this.sections.filter((section) => section.kind === 'section' && isFoldable(section))
    const fold = all.some(({ first }) => !this.#folded.has(first))
    for (const { first } of fold ? all : this.sections) {
      if (fold) this.#folded.add(first)
      else this.#open(first)
    }
    this.#rebuild()
  }

  /** Opens whatever hides a line; true when something did. */
  reveal(line: number): boolean {
    if (this.map.shows(line)) return false
    for (const { first } of sectionsAt(this.sections, line)) if (first !== line) this.#open(first)
    this.#rebuild()
    return true
  }

  #open(first: number): void {
    this.#folded.delete(first)
    this.#opened.add(first)
  }

  #foldFinished(): void {
    for (const [at, section] of this.sections.entries()) {
      // What contains others stays open: the agent's section is the log. So do steps: they are what the agent says.
      if (section.kind === 'step') continue
      const holdsOthers = (this.sections[at + 1]?.first ?? Number.POSITIVE_INFINITY) <= (section.last ?? -1)
      if (isFoldable(section) && !holdsOthers && !hasFailed(section) && !this.#opened.has(section.first))
        this.#folded.add(section.first)
    }
  }

  #rebuild(): void {
    const hidden = this.sections.flatMap((section) =>
      this.#folded.has(section.first) && isFoldable(section)
        ? [{ first: section.first + 1, end: (section.last ?? section.first) + 1 }]
        : [],
    )
    this.map = hidden.length === 0 ? allLines : new LineMap(without(hidden))
  }
}
