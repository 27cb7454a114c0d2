import type { Blocks } from '../blocks.ts'
import { indentOf, NEAR } from '../indentation.ts'
import type { PatchLine } from '../patch.ts'
import * as code from '../words.ts'

/*
 * Tests that are still there and do nothing. Most lose assertions, which another rule counts; but if a test only calls
 * a helper, none of its lost lines looks like an assertion.
 */

/** A line that does nothing: it ends a block, returns, or only tells the runner something. */
const nothing =
  /^(?:[)}\]]+[);,]*|;|pass|\.\.\.|end|return(?:\s+(?:true|null|nil|None|undefined|Ok\(\(\)\)))?;?|[tb]\.(?:Helper|Parallel)\(\)|_ = [tb]|(["'`]).*\1;?)$/
/** A test on one line, with an empty body. */
const emptyAtOnce = /\{\s*\}\s*\)?;?$|:\s*(?:pass|\.\.\.)$/

const doesNothing = (plain: string): boolean => plain === '' || code.isComment(plain) || nothing.test(plain)

/** The number of tests that lost their whole body, if nothing in it looked like an assertion. */
export const emptiedTests = (lines: readonly PatchLine[], blocks: Blocks): number =>
  emptiedInPlace(lines) + writtenAnew(blocks)

/** Tests whose first line stays and whose body is gone. */
function emptiedInPlace(lines: readonly PatchLine[]): number {
  let count = 0
  for (const [at, { sign, plain }] of lines.entries())
    if (sign === ' ' && code.isDeclaration(plain) && lostItsBody(lines, headOf(lines, at))) count += 1
  return count
}

/** The line above the body: below an annotation, it is the method's. */
function headOf(lines: readonly PatchLine[], at: number): number {
  const annotation = /^(?:@|\[|#\[)/.test(lines[at]?.plain ?? '')
  if (!annotation) return at
  const below = lines
    .slice(at + 1, at + 8)
    .findIndex((line) => line.sign === ' ' && code.functionOf(line.plain) !== null)
  return below < 0 ? at : at + 1 + below
}

function lostItsBody(lines: readonly PatchLine[], head: number): boolean {
  const first = lines[head]
  if (!first) return false
  const gone: string[] = []
  for (const line of lines.slice(head + 1, head + 1 + NEAR)) {
    if (line.hunk !== first.hunk) return false
    const { sign, plain } = line
    const within = plain === '' || indentOf(line) > indentOf(first)
    if (!within && sign !== '-') return areLost(gone)
    if (sign !== '-' && !doesNothing(plain)) return false
    if (sign === '-' && within) gone.push(plain)
  }
  return false
}

/** Removed lines that did something, and that no other rule counts. */
const areLost = (gone: readonly string[]): boolean =>
  gone.some((plain) => !doesNothing(plain)) &&
  !gone.some((plain) => code.isAssertion(plain) || code.isDeclaration(plain))

/** Tests that were rewritten under their names. */
function writtenAnew({ removed, added }: Blocks): number {
  const now = new Map(added.map((block) => [block.title, block]))
  return removed.filter(({ title, lines: [, ...gone], assertions }) => {
    const [first = '', ...body] = (title !== '' && now.get(title)?.lines) || []
    const isEmpty = emptyAtOnce.test(first) || (/[{:]$|\bdo$/.test(first) && body.length > 0)
    return isEmpty && body.every(doesNothing) && assertions.length === 0 && areLost(gone)
  }).length
}
