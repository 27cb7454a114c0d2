import { removedTexts, type PatchLine } from '../patch.ts'
import { indentOf, NEAR } from '../indentation.ts'
import * as code from '../words.ts'
import { runsNothing } from './never-run.ts'

/*
 * Unchanged assertions with something new around them: a condition, a function that nothing calls, a loop over nothing,
 * a block that expects their failure. Indentation decides which block a line belongs to.
 */

const BRANCH = /^(?:\}\s*)?(?:if|unless|elif|elsif|else if|else)\b/
const FIRST_BRANCH = /^(?:if|unless)\b/
const LAST_BRANCH = /^(?:\}\s*)?else\s*[:{]?$/
const BARE = /^(?:[tb]\.(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow)|self\.fail|pytest\.fail)\(/
const LATER =
  /(?:^|[^\w.])(?:window\.|globalThis\.)?(?:setTimeout|setInterval|setImmediate|queueMicrotask|requestAnimationFrame|requestIdleCallback|process\.nextTick)\(/
/** Another thread or task does it. */
const ELSEWHERE =
  /^(?!await |return )(?:(?:const|let|var|auto|_|\w+) :?= )?(?:go func\(|void \(async|new Thread\(|(?:[\w.]+\.)?CompletableFuture\.(?:run|supply)Async\(|\w+\.(?:submit|execute)\(|Task\.(?:Run|start|Factory\.StartNew)\(|(?:std::)?thread(?:::spawn)?\b.*\(|Thread\.new\b|spawn\()/
/** The test waits for what is done later. */
const WAITED = /\b(?:resolve|done|await|advanceTimers\w*|runAllTimers\w*|join|Done|Wait|get)\b|<-/
const NEVER =
  /^(?:for|foreach)\b.*(?:\bof \[\]|\bin (?:\[\]|\(\)|\{\}|range\(0\)|0\.\.0)|; ?(?:false|0) ?;)|^while\b ?\(?(?:false|False|0)\b|^(?:\w+\.)*\w*[oO]nce\w*\.Do\(func\(\) ?\{ ?(?:\(func\(.*)?$/
const WANTS_FAILURE =
  /^(?:async )?with (?:contextlib\.)?suppress\(|^(?:async )?with (?:self\.assertRaises|(?:pytest\.)?raises)\((?:AssertionError|Exception|BaseException)\b|^(?:await )?(?:expect|assert\.(?:throws|rejects|doesNotThrow)|assertThrows)\((?:.*, ?)?(?:async )?(?:\(\)|function ?\w*\(\)) ?(?:=>|->)? ?\{$|\bcatch_unwind\(/
const NAMED =
  /^(?:async )?(?:def|function\*?) (\w+)\s*\(|^(?:const|let|var|auto|val) (\w+)(?: ?:[^=]{1,100})? = (?:async )?(?:move )?(?:function\b|\([^()]{0,200}\)(?: ?:[^=]{1,60})? =>|\w+ =>|\[[&=\w, ]*\] ?\(|\|[^|]{0,100}\||\{ ?(?:\w+ ->)?$)|^(\w+) ?:?= (?:lambda\b|func\()/

/** The most new blocks around former assertions: the whole file is searched for each. Honest changes have fewer. */
const MOST_BLOCKS = 500

/** The number of assertions within something new that keeps them from failing, and the first such line. */
export function enclosedAssertions(lines: readonly PatchLine[]): { count: number; by: string } {
  const former = new Map<string, number>()
  for (const { sign, plain } of lines)
    if (sign === '-' && code.isAssertion(plain)) former.set(plain, (former.get(plain) ?? 0) + 1)
  const before = removedTexts(lines)
  let count = 0
  let by = ''
  const known = new Map<number, boolean>()
  const isSilencing = (up: number): boolean => {
    const found = known.get(up) ?? (known.size >= MOST_BLOCKS || silences(lines, up))
    known.set(up, found)
    return found
  }
  for (const [at, { sign, plain }] of lines.entries()) {
    const left = sign === '+' ? (former.get(plain) ?? 0) : 0
    if (left === 0) continue
    // In Go the condition above such a line is the assertion.
    const around = newAround(lines, at)
      .slice(BARE.test(plain) ? 1 : 0)
      .find((up) => !before.has(lines[up]?.plain ?? '') && isSilencing(up))
    if (around === undefined) continue
    former.set(plain, left - 1)
    count += 1
    by ||= lines[around]?.plain ?? ''
  }
  return { count, by }
}

/** New lines around a line, nearest first, up to the test's own. */
function newAround(lines: readonly PatchLine[], at: number): number[] {
  const found: number[] = []
  const line = lines[at]
  let indent = line ? indentOf(line) : 0
  for (let up = at - 1; line && up >= 0 && up >= at - NEAR && indent > 0; up--) {
    const other = lines[up]
    if (!other || other.hunk !== line.hunk) break
    if (other.sign === '-' || /^\{?$/.test(other.plain) || indentOf(other) >= indent) continue
    if (other.sign === ' ' || code.isDeclaration(other.plain)) break
    indent = indentOf(other)
    found.push(up)
  }
  return found
}

function silences(lines: readonly PatchLine[], at: number): boolean {
  const { plain = '' } = lines[at] ?? {}
  if (NEVER.test(plain) || WANTS_FAILURE.test(plain) || runsNothing(lines, at)) return true
  if (BRANCH.test(plain)) return !isDecided(lines, at)
  if (ELSEWHERE.test(plain)) return !around(lines, at).some((line) => WAITED.test(line.plain))
  if (LATER.test(plain)) return !blockBelow(lines, at).some((line) => WAITED.test(line.plain))
  const name = NAMED.exec(plain)?.slice(1).find(Boolean)
  return name !== undefined && !isCalled(lines, at, name)
}

const isThere = ({ sign }: PatchLine): boolean => sign !== '-'

/** Current lines, some above and some below. */
const around = (lines: readonly PatchLine[], at: number): PatchLine[] =>
  lines.slice(Math.max(0, at - NEAR), at + NEAR).filter(isThere)

function blockBelow(lines: readonly PatchLine[], at: number): PatchLine[] {
  const own = lines[at]
  if (!own) return []
  const below = lines.slice(at + 1, at + 1 + NEAR).filter((line) => isThere(line) && line.plain !== '')
  const end = below.findIndex((line) => line.hunk !== own.hunk || indentOf(line) <= indentOf(own))
  return end < 0 ? below : below.slice(0, end)
}

/** Whether each branch of a condition checks something, or the condition itself is checked beside it. */
function isDecided(lines: readonly PatchLine[], at: number): boolean {
  const own = lines[at]
  if (!own) return true
  const indent = indentOf(own)
  const branches = [at]
  for (let up = at - 1; !FIRST_BRANCH.test(lines[branches[0] ?? 0]?.plain ?? '') && up >= 0 && up > at - NEAR; up--) {
    const line = lines[up]
    if (!line || line.hunk !== own.hunk || (isThere(line) && line.plain !== '' && indentOf(line) < indent)) break
    if (isThere(line) && indentOf(line) === indent && BRANCH.test(line.plain)) branches.unshift(up)
  }
  const first = branches[0] ?? at
  for (let down = at + 1; down < lines.length && down < at + NEAR; down++) {
    const line = lines[down]
    if (!line || line.hunk !== own.hunk) break
    if (!isThere(line) || line.plain === '' || indentOf(line) > indent) continue
    const goesOn = BRANCH.test(line.plain) && !FIRST_BRANCH.test(line.plain)
    if (indentOf(line) < indent || !(goesOn || /^[})\]]+;?$/.test(line.plain))) break
    if (goesOn) branches.push(down)
  }
  const isWhole = LAST_BRANCH.test(lines[branches.at(-1) ?? at]?.plain ?? '')
  if (isWhole && branches.every((branch) => blockBelow(lines, branch).some(({ plain }) => decides(plain)))) return true
  const asked = code.subjectsOf([lines[first]?.plain ?? ''])
  const isOther = (line: PatchLine): boolean =>
    line.hunk !== own.hunk || (isThere(line) && code.isDeclaration(line.plain))
  const [above, below] = [lines.slice(Math.max(0, first - NEAR), first), lines.slice(first + 1, first + NEAR)]
  const end = below.findIndex(isOther)
  const test = [...above.slice(above.findLastIndex(isOther) + 1), ...(end < 0 ? below : below.slice(0, end))]
  const beside = test.filter((line) => isThere(line) && indentOf(line) <= indent && code.isAssertion(line.plain))
  const checked = code.subjectsOf(beside.map(({ plain }) => plain))
  return asked.size > 0 && [...asked].every((name) => checked.has(name))
}

const decides = (plain: string): boolean =>
  code.isAssertion(plain) || /\b(?:throw|raise|fail|panic!?|unreachable!?)\b/.test(plain)

/** Whether it is named elsewhere, or a line above it uses it: a fixture, a hook. */
function isCalled(lines: readonly PatchLine[], at: number, name: string): boolean {
  const above = lines.slice(0, at).findLast((line) => isThere(line) && line.plain !== '')
  if (above !== undefined && above.hunk === lines[at]?.hunk && /^[@#[]/.test(above.plain)) return true
  const word = new RegExp(`(?<![\\w$])${name}(?![\\w$])`)
  return lines.some((line, other) => other !== at && isThere(line) && word.test(line.plain))
}
