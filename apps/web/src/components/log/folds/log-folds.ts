import type { LogSection } from '@beadloom/core/api/executions/log-api.ts'
import { allLines, LineMap, without } from './line-map.ts'
import { LogTraces } from './log-traces.ts'

/** Sections that contain a line, outermost first. `sections` are in the order of their first lines. */
export function sectionsAt(sections: readonly LogSection[], line: number): LogSection[] {
  const found: LogSection[] = []
  for (const section of sections) {
    if (section.first > line) break
    if ((section.last ?? Number.POSITIVE_INFINITY) >= line) found.push(section)
  }
  return found
}

/** The nearest first line of a section above or below a line; null if there is none. */
export function sectionStep(sections: readonly LogSection[], line: number, by: 1 | -1): number | null {
  const next = by === 1 ? sections.find(({ first }) => first > line) : sections.findLast(({ first }) => first < line)
  return next?.first ?? null
}

/** The section has ended and has more than its first line. */
const isFoldable = ({ first, last }: LogSection): boolean => last !== null && last > first
const hasFailed = ({ exit }: LogSection): boolean => exit !== null && exit !== 0

/** The first line of a foldable part; `hides` counts its other lines. */
export type FoldHead = { of: 'section' | 'trace'; folded: boolean; hides: number; exit: number | null }

/** Folded sections and stack traces: only their first lines are rows. */
export class LogFolds {
  sections: readonly LogSection[] = []
  map: LineMap = allLines
  readonly traces = new LogTraces()
  #heads = new Map<number, LogSection>()
  readonly #folded = new Set<number>()
  /** Finished sections fold by themselves, except failed ones and those that a person has opened. */
  #byItself = false
  readonly #opened = new Set<number>()

  setSections(sections: readonly LogSection[]): void {
    this.sections = sections
    this.#heads = new Map(sections.filter(isFoldable).map((section) => [section.first, section]))
    if (this.#byItself) this.#foldFinished()
    this.rebuild()
  }

  setFoldFinished(on: boolean): void {
    if (on === this.#byItself) return
    this.#byItself = on
    this.#opened.clear()
    if (on) this.#foldFinished()
    else this.#folded.clear()
    this.rebuild()
  }

  /** The fold that starts at a line; null if none does. */
  headAt(line: number): FoldHead | null {
    const section = this.#heads.get(line)
    if (section) {
      const hides = (section.last ?? line) - line
      return { of: 'section', folded: this.#folded.has(line), hides, exit: section.exit }
    }
    const trace = this.traces.at(line)
    return trace && { of: 'trace', folded: trace.folded, hides: trace.end - line - 1, exit: null }
  }

  /** Folds or opens the innermost section or trace around a line; returns its first line, or null if there is none. */
  toggle(line: number): number | null {
    const section = sectionsAt(this.sections, line).findLast(isFoldable)
    const trace = this.traces.around(line)
    const first = trace && trace.first > (section?.first ?? -1) ? trace.first : (section?.first ?? null)
    if (first === null) return null
    if (first === trace?.first) this.traces.toggle(first)
    else if (this.#folded.has(first)) this.#open(first)
    else this.#folded.add(first)
    this.rebuild()
    return first
  }

  /** Folds all; if all are folded, opens them. */
  toggleAll(): void {
    const all = this.sections.filter((section) => section.kind === 'section' && isFoldable(section))
    const fold = all.some(({ first }) => !this.#folded.has(first)) || (all.length === 0 && this.traces.anyOpen)
    this.traces.setAll(fold)
    for (const { first } of fold ? all : this.sections) {
      if (fold) this.#folded.add(first)
      else this.#open(first)
    }
    this.rebuild()
  }

  /** Opens any fold that hides a line; true if there was one. */
  reveal(line: number): boolean {
    if (this.map.shows(line)) return false
    for (const { first } of sectionsAt(this.sections, line)) if (first !== line) this.#open(first)
    this.traces.reveal(line)
    this.rebuild()
    return true
  }

  /** Call it after the traces have changed. */
  rebuild(): void {
    const hidden = this.sections.flatMap((section) =>
      this.#folded.has(section.first) && isFoldable(section)
        ? [{ first: section.first + 1, end: (section.last ?? section.first) + 1 }]
        : [],
    )
    hidden.push(...this.traces.hidden())
    hidden.sort((a, b) => a.first - b.first)
    this.map = hidden.length === 0 ? allLines : new LineMap(without(hidden))
  }

  #open(first: number): void {
    this.#folded.delete(first)
    this.#opened.add(first)
  }

  #foldFinished(): void {
    for (const [at, section] of this.sections.entries()) {
      // A section that contains others stays open: the agent's is the whole log. So do steps, the agent's words.
      if (section.kind === 'step') continue
      const holdsOthers = (this.sections[at + 1]?.first ?? Number.POSITIVE_INFINITY) <= (section.last ?? -1)
      if (isFoldable(section) && !holdsOthers && !hasFailed(section) && !this.#opened.has(section.first))
        this.#folded.add(section.first)
    }
  }
}
