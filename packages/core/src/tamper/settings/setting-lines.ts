import type { PatchLine } from '../patch.ts'

/* Lines of the settings of a build or a runner. */

export type Lines = readonly PatchLine[]
/** The rest of the change: new test files, and those that no longer exist under their names. */
export type Around = { fresh: readonly string[]; gone: readonly string[] }

export const word =
  (pattern: RegExp) =>
  (lines: Lines, at: number): string | undefined => {
    const found = pattern.exec(lines[at]?.plain ?? '')
    return found ? (found.slice(1).find(Boolean) ?? found[0]) : undefined
  }

/** Lines further away do not affect a line. */
export const FAR = 1000
/** In recipes and calls, the head of a block is not so far above. */
const NOT_SO_FAR = 200

/** The current lines above, nearest first. */
export const above = (lines: Lines, at: number): string[] =>
  lines
    .slice(Math.max(0, at - FAR), at)
    .filter(({ sign }) => sign !== '-')
    .map(({ plain }) => plain)
    .toReversed()

/** The nearest current line above that matches. */
export function nearestAbove(lines: Lines, at: number, like: RegExp, most = NOT_SO_FAR): string | undefined {
  let left = most
  for (let up = at - 1; up >= 0 && left > 0; up--) {
    const line = lines[up]
    if (!line || line.sign === '-') continue
    if (like.test(line.plain)) return line.plain
    left -= 1
  }
  return undefined
}

/** Remembers an answer about all lines of a file, or all files of a change: each line may ask for it. */
export function onceFor<About extends object, Answer>(look: (about: About) => Answer): (about: About) => Answer {
  const known = new WeakMap<About, { answer: Answer }>()
  return (about) => {
    const found = known.get(about) ?? { answer: look(about) }
    known.set(about, found)
    return found.answer
  }
}
