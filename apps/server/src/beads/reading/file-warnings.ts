import type { BeadStatus } from '@beadloom/core/records/bead.ts'
import { findCycles } from '@beadloom/core/bead/cycles.ts'
import { mayHoldBack } from '@beadloom/core/bead/waiting.ts'
import type { BlockFacts, KnownBlock, Wait } from '../../ports/tracker-blocks.ts'

/** The most problems that a person would read; more are only counted. */
export const MAX_WARNINGS = 100
const MAX_PATH = 10

/** Ids on more than one line, with the numbers of those lines in order; the last one counts. */
export type Repeated = ReadonlyMap<string, readonly number[]>

/** Every problem of a file is a sentence with its line number and what to do. */
export class FileWarnings {
  readonly #shown: string[] = []
  #count = 0

  add(text: () => string): void {
    this.#count += 1
    if (this.#shown.length < MAX_WARNINGS) this.#shown.push(text())
  }

  all(): string[] {
    if (this.#count <= MAX_WARNINGS) return this.#shown
    const shown = this.#shown.slice(0, MAX_WARNINGS - 1)
    return [...shown, `and ${this.#count - shown.length} more problems. Fix these first, then sync again.`]
  }
}

/** Warns of faults of single lines, and of repeated ids. */
export function warnOfLines(warnings: FileWarnings, blocks: readonly KnownBlock[], repeated: Repeated): void {
  const again = [...repeated]
    .flatMap(([id, lines]) => lines.slice(1).map((line, at) => ({ line, id, before: lines[at] })))
    .sort((one, other) => one.line - other.line)
  let next = 0
  const tellAgain = (upTo: number) => {
    for (let one = again[next]; one !== undefined && one.line < upTo; one = again[(next += 1)]) {
      const { line, id, before } = one
      warnings.add(
        () => `line ${line}: ${id} is already on line ${before}; the later line counts. Remove the wrong one.`,
      )
    }
  }
  for (const { first, facts } of numbered(blocks, ({ notes }) => notes.length > 0))
    for (const { line, text } of facts.notes) {
      tellAgain(first + line)
      warnings.add(() => `line ${first + line}${text}`)
    }
  tellAgain(Infinity)
}

/** Gives one warning for each unknown status instead of each bead: projects define their own. */
export function warnOfStatuses(warnings: FileWarnings, blocks: readonly KnownBlock[], repeated: Repeated): void {
  const found = new Map<string, { line: number; count: number }>()
  for (const { first, facts } of numbered(blocks, ({ odd }) => odd.length > 0))
    for (const { id, line, word } of facts.odd) {
      if (isSuperseded(repeated, id, first + line)) continue
      const known = found.get(word)
      if (known) known.count += 1
      else found.set(word, { line: first + line, count: 1 })
    }
  for (const [word, { line, count }] of found) {
    const where = count === 1 ? `line ${line}` : `line ${line} and ${count - 1} more`
    warnings.add(
      () =>
        `${where}: unknown status ${JSON.stringify(word.slice(0, 60))}: such a bead is neither ready nor closed. Set it to open or closed to change that.`,
    )
  }
}

/** Warns of unfinished beads that depend on beads that do not exist. */
export function warnOfMissing(
  warnings: FileWarnings,
  blocks: readonly KnownBlock[],
  repeated: Repeated,
  missing: ReadonlySet<string>,
): void {
  if (missing.size === 0) return
  for (const { first, facts } of numbered(blocks, ({ waits }) => waits.length > 0))
    for (const { id, line, on, types } of facts.waits) {
      if (!on.some((other) => missing.has(other)) || isSuperseded(repeated, id, first + line)) continue
      for (const [at, other] of on.entries())
        if (missing.has(other))
          warnings.add(
            () =>
              `line ${first + line}: ${id} depends on ${other.slice(0, 128)} (${types[at] ?? ''}), which is not in the file, so ${meaning(types[at])}. Add that bead, or remove the dependency.`,
          )
    }
}

const meaning = (type = ''): string => (mayHoldBack({ type }) ? 'it waits for that' : 'the dependency is ignored')

/** Warns of cycles; true if there are some. */
export function warnOfCycles(warnings: FileWarnings, blocks: readonly KnownBlock[], repeated: Repeated): boolean {
  const waiting: ReturnType<typeof asBead>[] = []
  const lines = new Map<string, number>()
  for (const { first, facts } of numbered(blocks, ({ waits }) => waits.length > 0))
    for (const wait of facts.waits) {
      if (isSuperseded(repeated, wait.id, first + wait.line)) continue
      waiting.push(asBead(wait))
      lines.set(wait.id, first + wait.line)
    }
  const cycles = findCycles(waiting)
  for (const path of cycles) {
    const line = lines.get(path[0] ?? '') ?? 0
    warnings.add(
      () =>
        `line ${line}: a dependency cycle, ${pathText(path)}: these beads wait for each other. Remove one of the dependencies.`,
    )
  }
  return cycles.length > 0
}

/** A waiting bead, as one that has not ended. */
const asBead = ({ id, on, types }: Wait) => ({
  id,
  status: 'open' as BeadStatus,
  trackerStatus: 'open',
  dependencies: on.map((dependsOn, at) => ({ dependsOn, type: types[at] ?? '' })),
})

const isSuperseded = (repeated: Repeated, id: string, line: number): boolean => {
  const lines = repeated.size === 0 ? undefined : repeated.get(id)
  return lines !== undefined && lines.at(-1) !== line
}

/** The number of each block's first line. */
export function firstLinesOf(blocks: readonly KnownBlock[]): number[] {
  let next = 1
  return blocks.map(({ facts }) => {
    const first = next
    next += facts.lines
    return first
  })
}

/**
 * The blocks that `asks` accepts, each with the number of its first line. Nearly all blocks of a large file have
 * nothing that others ask for.
 */
export function* numbered(
  blocks: readonly KnownBlock[],
  asks: (facts: BlockFacts) => boolean,
): Generator<{ facts: BlockFacts; first: number }> {
  let first = 1
  for (const { facts } of blocks) {
    if (asks(facts)) yield { facts, first }
    first += facts.lines
  }
}

function pathText(path: readonly string[]): string {
  const shown = path.length <= MAX_PATH ? path : [...path.slice(0, MAX_PATH - 1), '…', path.at(-1) ?? '']
  return shown.join(' → ')
}
