import type { TestChange } from '../changed-tests.ts'
import { counted } from '../../text/count-text.ts'
import { shortName } from '../finding-words.ts'
import { isAssertion } from '../words.ts'
import { EXPECTS_ERRORS } from './own-results.ts'

/*
 * A test that wants an error may call the code and then fail by itself: `fail("no error")`, `_ => panic!()`. Without
 * that line it also passes if no error comes.
 */

const FAILS =
  /(?:^|[;{}>]\s?)(?:\$this->|self::|static::)?(?:fail|flunk|FAIL|ADD_FAILURE|GTEST_FAIL)(?:\(| ["'])|(?:^|[;{}>]\s?)(?:panic|unreachable)!\(/
/** Another form of the same: the error is expected, or what is no error ends the test. */
const SAME =
  /\bErr\(|\bis_err\b|\bThrows\w*|\bthrown\b|\.(?:unwrap|expect)(?:_err)?\(|\belse \{$|\bcatchThrowable|\bfails?With/

/** One sentence for each file. */
export const lostFailures = (tests: readonly TestChange[]): string[] =>
  tests.flatMap(({ file, lines, blocks }) => {
    if (file.status === 'D' || file.status === 'A') return []
    const kept = new Set(blocks.added.map(({ title }) => title))
    const gone = new Set(blocks.removed.flatMap(({ title }) => (kept.has(title) ? [] : [title])))
    const went = lines.filter((line) => {
      const owner = blocks.ownerOf.get(line) ?? ''
      return line.sign === '-' && owner !== '' && !gone.has(owner) && FAILS.test(line.plain) && !isAssertion(line.plain)
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
