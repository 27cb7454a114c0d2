import type { PatchLine } from '../patch.ts'

/* Lines of the settings of a build or a runner. */

export type Lines = readonly PatchLine[]
/** The rest of the change: test files that are new, and those that are there no longer under their name. */
export type Around = { fresh: readonly string[]; gone: readonly string[] }

export const word =
  (pattern: RegExp) =>
  (lines: Lines, at: number): string | undefined => {
    const found = pattern.exec(lines[at]?.plain ?? '')
    return found ? (found.slice(1).find(Boolean) ?? found[0]) : undefined
  }

/** Lines further above have nothing to do with a line. */
const FAR = 1000

/** The lines above that are there now, nearest first. */
export const above = (lines: Lines, at: number): string[] =>
  lines
    .slice(Math.max(0, at - FAR), at)
    .filter(({ sign }) => sign !== '-')
    .map(({ plain }) => plain)
    .toReversed()

/** Answers about all lines of a file: each of them may ask, and it is looked up once. */
export function onceFor<Answer>(look: (lines: Lines) => Answer): (lines: Lines) => Answer {
  const known = new WeakMap<Lines, { answer: Answer }>()
  return (lines) => {
    const found = known.get(lines) ?? { answer: look(lines) }
    known.set(lines, found)
    return found.answer
  }
}
