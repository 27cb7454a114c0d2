import { MOST_WRITTEN } from './bodies.ts'
import { helpersWritten } from './drawn-helpers.ts'
import { loopsWritten } from './drawn-loops.ts'
import type { PatchLine } from '../patch.ts'

/*
 * A test's assertions may be in a helper or in a loop. They are written out with their values where they are asked, so
 * that every rule reads them as lines of the test.
 */

const LONGEST_LINE = 1000

/** @returns `counted`: calls and bodies, which count only where they are written out */
export function writtenOut(lines: readonly PatchLine[]): {
  lines: readonly PatchLine[]
  counted: ReadonlySet<PatchLine>
} {
  const all = [helpersWritten(lines), loopsWritten(lines)]
  const below = new Map(all.flatMap((one) => [...one.below]))
  const count = [...below.values()].reduce((sum, says) => sum + says.length, 0)
  if (count === 0 || count > MOST_WRITTEN) return { lines, counted: new Set() }
  const counted = new Set(all.flatMap((one) => [...one.counted]))
  return {
    lines: lines.flatMap((line) => {
      const indent = line.text.slice(0, line.text.length - line.text.trimStart().length)
      const written = (below.get(line) ?? []).map((text): PatchLine => {
        const plain = text.slice(0, LONGEST_LINE)
        return { ...line, text: indent + plain, plain }
      })
      return [line, ...written]
    }),
    counted,
  }
}
