import { indentOf } from '../indentation.ts'
import type { PatchLine } from '../patch.ts'

/* Jest's and Vitest's serializers of snapshots: one that never looks at the value writes every snapshot the same. */

const BEGINS =
  /^(?:async )?(?:print|serialize)(?:: (?:function )?)?\((\w+)\b[^)]{0,200}\)(?: ?:[^={]{1,60})?(?: =>)? ?\{$/
const MOST_LINES = 40

/** The first line of such a serializer. */
export function blindSerializer(lines: readonly PatchLine[]): PatchLine | undefined {
  const now = lines.filter(({ sign }) => sign !== '-')
  return now.find((line, at) => {
    const value = BEGINS.exec(line.plain)?.[1]
    if (value === undefined) return false
    const below = now.slice(at + 1, at + 1 + MOST_LINES)
    const end = below.findIndex(
      (one) => one.hunk !== line.hunk || (one.plain !== '' && indentOf(one) <= indentOf(line)),
    )
    const body = below.slice(0, Math.max(0, end))
    if (![line, ...body].some(({ sign }) => sign === '+')) return false
    const word = new RegExp(`(?<![\\w$])${value}(?![\\w$])`)
    return body.some(({ plain }) => /\breturn\b/.test(plain)) && !body.some(({ plain }) => word.test(plain))
  })
}
