import { indentOf, NEAR } from '../indentation.ts'
import { removedTexts, type PatchLine } from '../patch.ts'
import * as code from '../words.ts'

const LEAVES = /^(?:return\b.*|break;?|continue;?)$/
const AT_THE_END = /^(?:\} ?)?(?:finally|ensure)\b ?[:{]?$/
const TRIED = /^(?:try ?[:{]?|begin)$/

/** Former assertions in a block whose `finally` always leaves the test, which discards their failure. */
export function leftAtTheEnd(lines: readonly PatchLine[]): number {
  const former = removedTexts(lines)
  let count = 0
  for (const [at, line] of lines.entries()) {
    if (line.sign !== '+' || !LEAVES.test(line.plain)) continue
    const end = above(lines, at, (own) => indentOf(own) < indentOf(line))
    if (end < 0 || !AT_THE_END.test(lines[end]?.plain ?? '')) continue
    const indent = indentOf(lines[end]!)
    const tried = above(lines, end, (own) => indentOf(own) <= indent && TRIED.test(own.plain))
    if (tried < 0 || indentOf(lines[tried]!) !== indent) continue
    count += lines
      .slice(tried, end)
      .filter(
        ({ sign, plain }) => code.isAssertion(plain) && (sign === ' ' || (sign === '+' && former.has(plain))),
      ).length
  }
  return count
}

/** The nearest current line above that matches; -1: none is near. */
function above(lines: readonly PatchLine[], at: number, is: (line: PatchLine) => boolean): number {
  for (let up = at - 1; up >= 0 && up >= at - NEAR; up--) {
    const line = lines[up]
    if (!line || line.hunk !== lines[at]?.hunk) return -1
    if (line.sign !== '-' && line.plain !== '' && is(line)) return up
  }
  return -1
}
