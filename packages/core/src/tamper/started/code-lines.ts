import { plainText } from '../patch.ts'
import { isAssertion, isComment } from '../words.ts'
import type { Unit } from './units.ts'

/* Where a program that a check starts can fail: its assertions, what it throws, and its exits with a code. */

const MOST_LINES = 5000

const FAILS =
  /(?:^|[^\w.])(?:raise|throw|abort|die|panic!?|fail\w*)\b(?!\s*[=:,.])|\b(?:sys\.|os\._?|process\.|Deno\.|Kernel\.|os\.)?_?[eE]xit!?[( ]\s*(?!0?\s*\)|0$|code\b.*=)\S|\bprocess\.exitCode\s*=\s*(?!0\b)|\blog\.Fatal|\bcheck_call\(|\bcheck_output\(|\bcheck\s?=\s?True|\b(?:assert|t|chai)\.\w+\(/
const COUNTED =
  /\b(?:fail|error|bad|wrong|mismatch)\w*(?:\+\+|\s*\+=|\.(?:append|push|add)\(|\s*=\s*(?:true|True|1)\b)|\b(?:ok|passed|success)\s*=\s*(?:false|False)\b/i
const EXACT = /===?|\b(?:strict|deep)?\w*[eE]qual\w*\(|\bassert_eq|!==?/
const ENDS =
  /^(?:sys\.exit\((?:0|None)?\)|exit\((?:0)?\)|quit\(\)|os\._exit\(0\)|raise SystemExit(?:\(0?\))?|process\.exit\(0?\)|exit(?: 0| true)?|Deno\.exit\(0?\)|__END__);?$/
const NEVER = /^(?:el)?if\s*\(?\s*(?:False|false|0|not True|!1|!true)\s*\)?\s*[:{]?$|^if __name__ == ["'](?!__main__)/
const SWALLOWS = /^except(?: ?\(?(?:AssertionError|Exception|BaseException)[\w ,]*\)?(?: as \w+)?)?:(.*)$/
const FUNCTION = /^(?:(?:export|async|static|pub)\s+)*(?:def|function|fn|func|sub)\s+(?:self\.)?(\w{1,100})/
const ARROW = /^(?:export )?(?:const|let|var)\s+(\w{1,100})\s*=\s*(?:async\s*)?(?:\([^()]{0,300}\)|\w+)\s*=>/

type Line = { text: string; plain: string; depth: number }

const functionOf = ({ plain }: Line): string | undefined => FUNCTION.exec(plain)?.[1] ?? ARROW.exec(plain)?.[1]
const isUnit = (plain: string): boolean => isAssertion(plain) || FAILS.test(plain) || COUNTED.test(plain)

/** A program's lines without comments and texts of several lines. */
function linesOf(path: string, text: string): Line[] {
  const found: Line[] = []
  let quote: string | null = null
  for (const line of text.split('\n', MOST_LINES)) {
    const plain = plainText(line.slice(0, 1000))
    const marks = path.endsWith('.py') ? (plain.match(/"{3}|'{3}/g) ?? []) : (plain.match(/\/\*|\*\//g) ?? [])
    const wasWithin = quote !== null
    for (const mark of marks)
      if (quote === null && mark !== '*/') quote = mark === '/*' ? '*/' : mark
      else if (mark === quote) quote = null
    if (wasWithin || plain === '' || isComment(plain)) continue
    found.push({ text: line, plain, depth: line.length - line.trimStart().length })
  }
  return found
}

/** The last line of the block that a line begins. */
function endOf(lines: readonly Line[], at: number): number {
  const depth = lines[at]?.depth ?? 0
  let end = at
  while (end + 1 < lines.length && end - at < 500 && (lines[end + 1]?.depth ?? 0) > depth) end += 1
  return end
}

/** The places where it can fail, but for those that nothing reaches. */
export function codeUnits(path: string, text: string): Unit[] {
  const lines = linesOf(path, text)
  const words = new Map<string, number>()
  for (const { plain } of lines)
    for (const [word] of plain.matchAll(/\w+/g)) words.set(word, (words.get(word) ?? 0) + 1)
  const dead = new Set<number>()
  const failing = new Set<string>()
  for (const [at, line] of lines.entries()) {
    const name = functionOf(line)
    const end = name !== undefined || NEVER.test(line.plain) || SWALLOWS.test(line.plain) ? endOf(lines, at) : at
    const isUncalled = name !== undefined && (words.get(name) ?? 0) < 2 && !/^(?:test|main$|it_)/i.test(name)
    if (isUncalled || NEVER.test(line.plain)) for (let one = at; one <= end; one++) dead.add(one)
    else if (name !== undefined && lines.slice(at, end + 1).some(({ plain }) => isUnit(plain))) failing.add(name)
    if (SWALLOWS.test(line.plain) && !lines.slice(at, end + 1).some(({ plain }) => isUnit(plain)))
      for (const one of triedBefore(lines, at)) dead.add(one)
  }
  const units: Unit[] = []
  let condition = ''
  for (const [at, line] of lines.entries()) {
    const { plain, depth } = line
    if (depth === 0 && ENDS.test(plain)) break
    if (/^(?:el)?if\b|^unless\b/.test(plain)) condition = plain
    if (dead.has(at) || functionOf(line) !== undefined) continue
    if (isUnit(plain)) {
      const ownCondition = isAssertion(plain) || /^(?:if|unless)\b/.test(plain) ? plain : `${condition} ${plain}`
      units.push({ text: ownCondition, strength: EXACT.test(ownCondition) ? 'exact' : 'check' })
    } else if (Array.from(plain.matchAll(/(\w+)[( ]/g)).some(([, name = '']) => failing.has(name)))
      units.push({ text: plain, strength: 'exact' })
  }
  return units
}

/** The lines of the `try` that a handler belongs to. */
function triedBefore(lines: readonly Line[], at: number): number[] {
  const depth = lines[at]?.depth ?? 0
  const found: number[] = []
  for (let up = at - 1; up >= 0 && at - up < 500; up--) {
    const line = lines[up]
    if (line === undefined || line.depth < depth || (line.depth === depth && /^try\b/.test(line.plain))) break
    if (line.depth > depth) found.push(up)
  }
  return found
}
