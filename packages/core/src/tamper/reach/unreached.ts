import { indentOf, NEAR, opener } from '../indentation.ts'
import { removedTexts, type PatchLine } from '../patch.ts'
import * as code from '../words.ts'
import { isNamedAndUsed } from './never-run.ts'

/*
 * Complete tests that do less: they return early, or catch the failures of their assertions. Indentation decides which
 * block a line belongs to. Linear, since it looks a bounded way up and down.
 */

const leaves =
  /^(?:return(?:\s+(?:true|null|nil|None|undefined|Ok\(\(\)\)))?|continue|break|(?:process\.exit|sys\.exit|os\.Exit|os\._exit)\(0?\))\s*;?$/
/** A line with which Go continues as if nothing had failed. */
const recovers = /^defer func\(\) ?\{ ?(?:_ = )?recover\(\)/
const condition = /^(?:\}\s*)?(?:if|else|elif|unless)\b/
const leavesAtOnce =
  /^(?:if|unless)\b.{1,300}[\s:){](?:return(?:\s+(?:true|null|nil|None|undefined|0|EXIT_SUCCESS|Default::default\(\)|Ok\(\(\)\)))?|continue)\s*;?\s*\}?$|^done\(\);?$|^return\b.{0,50}\sif\s/

/** The number of tests with a new line that ends them above former assertions. */
export function earlyReturns(lines: readonly PatchLine[]): number {
  const moved = lines.filter(({ sign }) => sign === '-').map(({ plain }) => plain)
  let count = 0
  for (const [at, line] of lines.entries()) {
    if (line.sign !== '+') continue
    const alone = leaves.test(lastStatement(line.plain)) || recovers.test(line.plain) || recoversBelow(lines, at)
    if (!alone && !leavesAtOnce.test(line.plain) && !leavesAtOnce.test(lastStatement(line.plain))) continue
    const former = moved.indexOf(line.plain)
    if (former >= 0) moved.splice(former, 1)
    else if (checksBelow(lines, at, alone)) count += 1
  }
  return count
}

/** `name = "a"; return` leaves, too. */
const lastStatement = (plain: string): string =>
  condition.test(plain) || /[{}]/.test(plain) ? plain : (plain.replace(/;$/, '').split(';').at(-1) ?? '').trim()

/** The same over several lines: the panic is caught, and nothing fails because of it. */
function recoversBelow(lines: readonly PatchLine[], at: number): boolean {
  if (!/^defer func\(\) ?\{$/.test(lines[at]?.plain ?? '')) return false
  const below = lines.slice(at + 1, at + 12).filter(({ sign }) => sign !== '-')
  const end = below.findIndex(({ plain }) => plain.startsWith('}()'))
  const body = below.slice(0, Math.max(0, end)).map(({ plain }) => plain)
  const fails = /\b[tb]\.(?:Error|Fatal|Fail)|\bpanic\(|\b(?:require|assert|is)\./
  return body.some((line) => /\brecover\(\)/.test(line)) && !body.some((line) => fails.test(line))
}

/** A text of several lines begins or ends here: the indentation of its lines tells nothing. */
const opensOrCloses = (line: string): boolean => (line.split(/`|"{3}|'{3}/).length - 1) % 2 === 1

function checksBelow(lines: readonly PatchLine[], at: number, alone: boolean): boolean {
  const line = lines[at]
  if (!line) return false
  const above = opener(lines, at, '+')
  const inCondition = alone && condition.test(lines[above]?.plain ?? '')
  // If it checks something before it leaves, that is another way to pass, as for a row that expects an error.
  if (inCondition && lines.slice(above, at).some(({ sign, plain }) => sign !== '-' && code.isAssertion(plain)))
    return false
  const indent = inCondition ? indentOf(lines[above] ?? line) : depthOf(lines, at)
  let quote = false
  for (const below of lines.slice(at + 1, at + 1 + NEAR)) {
    if (below.hunk !== line.hunk) return false
    if (below.sign === '-' || below.plain === '') continue
    const within = quote
    if (opensOrCloses(below.plain)) quote = !quote
    if (within) continue
    if (indentOf(below) < indent) return false
    // An inner test, as in a table or a group, is not reached either.
    if (code.isDeclaration(below.plain)) return below.sign === ' '
    if (below.sign === ' ' && code.isAssertion(below.plain)) return true
  }
  return false
}

/** A block begins behind it. */
const OPENS = /(?:[{([:|]|=>|->|\b(?:do|then|else|try|begin))$/
/** Without brackets, such a line has the next one in its block. */
const TAKES_NEXT = /^(?:\}\s*)?(?:if|else|elif|unless|for|while|foreach|with|loop)\b/

/** The indentation of a line's block: more blanks in front of the line alone do not make another one. */
function depthOf(lines: readonly PatchLine[], at: number): number {
  const line = lines[at]
  const above = lines[opener(lines, at, '+')]
  if (!line || !above) return line ? indentOf(line) : 0
  if (!OPENS.test(above.plain)) return TAKES_NEXT.test(above.plain) ? indentOf(line) : indentOf(above)
  const next = lines.slice(at + 1, at + 1 + NEAR).find(({ sign, plain }) => sign !== '-' && plain !== '')
  const isBeside = next?.hunk === line.hunk && indentOf(next) > indentOf(above)
  return isBeside ? Math.min(indentOf(line), indentOf(next)) : indentOf(line)
}

const CAUGHT =
  /^except (?:\(.*)?(?:AssertionError|BaseException)\b|^\}? ?catch \((?:\w+ )*AssertionError\b|^rescue (?:Minitest::Assertion|RSpec::Expectations)/
const SILENT = /^(?:pass|\.\.\.|return(?: (?:None|True|true|null))?|print\(.*\)|\})?;?$/

/** Former assertions that are now between a `try` and a silent `catch`. */
export function swallowedAssertions(lines: readonly PatchLine[]): number {
  const before = removedTexts(lines)
  let count = 0
  let tried: number | null = null
  for (const [at, { sign, plain }] of lines.entries()) {
    if (sign === '-') continue
    if (code.isDeclaration(plain)) tried = null
    // A decorator or a helper around any code.
    if (
      sign === '+' &&
      (tried ?? 0) === 0 &&
      CAUGHT.test(plain) &&
      !/^return \(?yield\b/.test(lines[at - 1]?.plain ?? '') &&
      SILENT.test(lines[at + 1]?.plain ?? '')
    )
      count += 1
    if (sign === '+' && /^(?:try\s*(?:[{:]|do$|$)|begin$)/.test(plain)) tried = 0
    else if (sign === '+' && /^rescue\b/.test(plain) && tried === null) {
      // Ruby catches errors of the method above it.
      if (isSilent(lines, at)) count += assertionsAbove(lines, at)
    } else if (sign === '+' && tried !== null && /^(?:\}\s*)?(?:catch|except|rescue)\b/.test(plain)) {
      if (isSilent(lines, at)) count += tried
      tried = null
    } else if (tried !== null && code.isAssertion(plain) && (sign === ' ' || before.has(plain))) tried += 1
  }
  return count
}

function assertionsAbove(lines: readonly PatchLine[], at: number): number {
  let count = 0
  const own = lines[at]
  for (const line of lines.slice(Math.max(0, at - NEAR), at).toReversed()) {
    const { sign, plain } = line
    if (!own || line.hunk !== own.hunk || (plain !== '' && indentOf(line) <= indentOf(own))) break
    if (sign === ' ' && code.isAssertion(plain)) count += 1
  }
  return count
}

function isSilent(lines: readonly PatchLine[], at: number): boolean {
  const first = lines[at]
  if (!first) return false
  for (const line of lines.slice(at + 1, at + 10)) {
    if (line.sign === '-' || line.plain === '') continue
    if (indentOf(line) <= indentOf(first)) break
    if (code.isAssertion(line.plain) || /\b(?:throw|raise|fail|panic|exit)\b/.test(line.plain)) return false
  }
  return !/\b(?:throw|raise|fail|panic|exit)\b/.test(first.plain)
}

/** Text after a former assertion: an alternative that may hold. */
const instead = /^\)*;? ?(?:or|\|\||\?\?) ?\S/
const MOST_FORMER = 500

/** Assertions with a new alternative: `assert a == 1` is `assert a == 1 or b`. */
export function widenedAssertions(lines: readonly PatchLine[]): number {
  const ends = /[\s);]+$/
  const former = lines.filter(({ sign, plain }) => sign === '-' && code.isAssertion(plain)).slice(0, MOST_FORMER)
  const texts = [...new Set(former.map(({ plain }) => plain.replace(ends, '')))]
  return lines.filter(
    ({ sign, plain }) =>
      sign === '+' &&
      / or |\|\||\?\?/.test(plain) &&
      texts.some((text) => plain.startsWith(text) && instead.test(plain.slice(text.length).trim())),
  ).length
}

/** Words before an assertion: it is not called, its result is ignored, or it has to fail. */
const unheard =
  /\b(?:let|auto|const|var|val) [\w: ]+ = (?:move )?(?:\|\||\[[&=]?\](?: ?\(\))?|\(\) [-=]>) ?\{? ?$|\(void\) ?\[[&=]?\] ?\{ ?$|\bcatch_unwind\(.*$|^try ?\{ ?$|\(Runnable\) ?\(\) -> \{? ?$|\bif ?\(? ?(?:false|0|!1|cfg!\(.*\))\)? ?\{? ?$|\b(?:if|while)\b.*(?:&& ?(?:false|0)|\band False)\)? ?[{:]? ?$|\b(?:assertThrows|assertThatThrownBy|assertThatExceptionOfType)\(.*$|\bnew [\w.]*SoftAssertions\(\)\.$|^(?!await |return )\S.*\.then\((?:async )?(?:\(\w*\)|\w+) => \{? ?$|^with (?:\w+\.)?suppress\(.*\): ?$|^if ?\([^;]{1,300}\) ?\{? ?$|^let _ = .*\bspawn\((?:move )?\|\| ?\{? ?$|(?<![(,={[]|\bmove) (?:&&|\|\||\?) ?\(?$|^for ?\(.*\bof \[\]\) ?\{? ?$|^void \((?:async )?\(\) => \{? ?$|\bPromise\.allSettled\(\[.*$|^go $/
/** Another thread or task runs it, and nothing asks for its result. */
const elsewhere =
  /^(?!await |return )(?:.* )?(?:new Thread|(?:java\.util\.concurrent\.)?CompletableFuture\.(?:run|supply)Async|(?:executor|pool)\w*\.(?:submit|execute)|Task\.(?:Run|Factory\.StartNew)|(?:std::)?(?:thread::spawn|thread|async)|threading\.Thread|Thread\.(?:new|start)|Task\.(?:start|async)|spawn|go func|process\.nextTick|setTimeout|setImmediate|queueMicrotask)\b.{0,40}(?:->|=>|\|\||fn|\{|\() ?\{? ?$/
/** Words after it that discard its error. */
const thrownAway = /^\)*;? ?(?:\.catch\((?:\(?\w*\)? ?=>|function).*\)|\brescue nil|\) rescue \w+)/

const WAITS_FOR_IT = /^(?:await|return) /

/** Unchanged assertions within a line in which they can no longer fail. */
export function unheardAssertions(lines: readonly PatchLine[]): number {
  const removed = lines.filter(({ sign, plain }) => sign === '-' && code.isAssertion(plain))
  const added = lines.filter(
    ({ sign, plain }, at) => sign === '+' && unheardIn(plain) !== undefined && !isNamedAndUsed(lines, at),
  )
  const waits = lines.some(({ sign, plain }) => sign !== '-' && waited.test(plain))
  const former = new Map<string, number>()
  for (const { plain } of removed) {
    const text = bare(plain).replace(WAITS_FOR_IT, '')
    former.set(text, (former.get(text) ?? 0) + 1)
  }
  // A line has a thousand characters at most, so this does not grow with the removed lines.
  const lengths = [...new Set([...former.keys()].map((text) => text.length))]
  let count = 0
  for (const { plain } of added) {
    const rest = unheardIn(plain) ?? ''
    const before = plain.slice(0, plain.length - rest.length)
    if (waits && elsewhere.test(before) && !unheard.test(before)) continue
    const found = lengths.map((length) => rest.slice(0, length)).find((text) => (former.get(text) ?? 0) > 0)
    if (found === undefined) continue
    former.set(found, (former.get(found) ?? 0) - 1)
    count += 1
  }
  return count + unwaited(removed, lines) + neverAsserted(lines)
}

/** Assertions that are collected, but whose results nothing checks. */
function neverAsserted(lines: readonly PatchLine[]): number {
  const collector = lines.flatMap(({ sign, plain }) =>
    sign === '+' ? (/\b(\w+) = new \w*SoftAssertions\(\)/.exec(plain)?.[1] ?? []) : [],
  )[0]
  if (
    collector === undefined ||
    lines.some(({ sign, plain }) => sign !== '-' && /\bassertAll\(|\bassertSoftly\(/.test(plain))
  )
    return 0
  return lines.filter(({ sign, plain }) => sign === '+' && plain.startsWith(`${collector}.assertThat(`)).length
}

/** The test waits for something that it began. */
const waited = /\bawait\b|\.(?:join|get|wait)\(\)|\.(?:wait|await)\(|\bWait\(\)|<-\w|\bTask\.await/

/** `await expect(…).rejects…` without its `await`; and the same with an end that discards the failure. */
function unwaited(removed: readonly PatchLine[], lines: readonly PatchLine[]): number {
  const now = new Set(lines.flatMap(({ sign, plain }) => (sign === '+' ? [plain] : [])))
  const texts = removed.slice(0, MOST_FORMER).map(({ plain }) => bare(plain))
  const former = texts.filter((plain) => !now.has(plain) && !now.has(`${plain};`))
  const came = [...now]
    .filter((line) => /rejects|resolves|eventually|rejectedWith|catch|rescue/.test(line))
    .map((line) => line.replace(/^void /, ''))
    .slice(0, MOST_FORMER)
    .map(bare)
  return former.filter((plain) => {
    const open =
      /^(?:await|return) (.*(?:\.rejects\b|\.resolves\b|\.eventually\b|\.rejectedWith\b|\brejects\().*)$/.exec(
        plain,
      )?.[1]
    return came.some(
      (line) =>
        line === open ||
        [plain, open, `(${plain}`].some(
          (text) => text !== undefined && line.startsWith(text) && thrownAway.test(line.slice(text.length).trim()),
        ),
    )
  }).length
}

const bare = (line: string): string => line.replace(/;$/, '')

/** The assertion in a line behind words that keep it from failing, with the text after it. */
function unheardIn(line: string): string | undefined {
  for (const start of line.matchAll(
    /(?:(?:(?<![\w.])|(?<=SoftAssertions\(\)\.))(?:org\.|[aA]ssert|require\.[A-Z]|self\.assert|\$this->assert|expect\(|REQUIRE|CHECK|EXPECT|ASSERT))/g,
  )) {
    const before = line.slice(0, start.index).replace(/\b(?:await|return) $/, '')
    if (start.index > 0 && (unheard.test(before) || elsewhere.test(before))) return line.slice(start.index)
  }
  return undefined
}
