import type { TestChange } from '../changed-tests.ts'
import { NEAR } from '../indentation.ts'
import type { PatchLine } from '../patch.ts'
import { counted } from '../../text/count-text.ts'
import { shortName } from '../finding-words.ts'
import { isAssertion, isDeclaration } from '../words.ts'
import { EXPECTS_ERRORS } from './own-results.ts'

/*
 * A test that wants an error may call the code and then fail by itself: `fail("no error")`, `_ => panic!()`. Without
 * that line it also passes if no error comes.
 */

const FAILS =
  /(?:^|[;{}>]\s?)(?:\$this->|self::|static::)?(?:fail|flunk|FAIL|ADD_FAILURE|GTEST_FAIL)(?:\(| ["'])|^(?:_|\w+|(?:Ok|Some|None|[A-Z][\w:]+)\b.{0,80}) => (?:\{ ?)?(?:panic|unreachable)!\(|\bthrow new Assertion\w*Error\(/
/** Another form of the same: the error is expected, or what is no error ends the test. */
const SAME =
  /\bassert\w*(?:Exception|Error|Throws|Raises|Fails)\w*\(|\bErr\(|\bis_err\b|\bThrows\w*|\bthrown\b|\.(?:unwrap|expect)(?:_err)?\(|\belse \{$|\bcatchThrowable|\bfails?With/

/** Another function than a test begins. */
const FUNCTION =
  /^(?:pub(?:\(\w+\))? )?(?:async )?(?:fn|func|def|function\*?) \w+|^(?:private|public|protected|internal|static)\b[^=;]{1,200}\w\(|^(?:const|let|var) \w+ = (?:async )?(?:\(|function\b)/

/** Below it an error has come, and fails the test. */
const WITH_ERROR = /^\}? ?catch\b|^(?:except|rescue)\b/

/** A sentence for each file. */
export const lostFailures = (tests: readonly TestChange[]): string[] =>
  tests.flatMap(({ file, lines, blocks }) => {
    if (file.status === 'D' || file.status === 'A') return []
    const kept = new Set(blocks.added.map(({ title }) => title))
    const gone = new Set(blocks.removed.flatMap(({ title }) => (kept.has(title) ? [] : [title])))
    const went = lines.filter((line, at) => {
      const owner = blocks.ownerOf.get(line) ?? ''
      const mayFail = line.sign === '-' && FAILS.test(line.plain) && !isAssertion(line.plain)
      return mayFail && owner !== '' && !gone.has(owner) && isOfTest(lines, at)
    }).length
    if (went === 0) return []
    const came = lines.filter(
      ({ sign, plain }) => sign === '+' && (FAILS.test(plain) || EXPECTS_ERRORS.test(plain) || SAME.test(plain)),
    ).length
    return went > came
      ? [
          `${shortName(file.path)} lost ${counted(went - came, 'line')} that ${went - came > 1 ? 'fail' : 'fails'} where no error comes`,
        ]
      : []
  })

/** Whether the function that a former line belongs to is a test, and no helper below one. */
function isOfTest(lines: readonly PatchLine[], at: number): boolean {
  const { hunk } = lines[at] ?? {}
  const before = (from: number) => {
    for (let up = from - 1; up >= Math.max(0, at - NEAR) && lines[up]?.hunk === hunk; up--)
      if (lines[up]?.sign !== '+' && lines[up]?.plain !== '') return up
    return -1
  }
  if (WITH_ERROR.test(lines[before(at)]?.plain ?? '')) return false
  for (let up = before(at); up >= 0; up = before(up)) {
    const { plain = '' } = lines[up] ?? {}
    if (isDeclaration(plain)) return true
    if (FUNCTION.test(plain)) return isDeclaration(lines[before(up)]?.plain ?? '')
  }
  return false
}
