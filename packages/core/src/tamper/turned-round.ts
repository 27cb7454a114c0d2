import { counted } from '../text/count-text.ts'
import type { TestChange } from './changed-tests.ts'
import { shortName } from './finding-words.ts'
import { isAssertion, subjectsOf, withoutStrings } from './words.ts'

/* Assertions that say the opposite of their former words, or expect nothing where they expected a value. */

type Pair = readonly [RegExp, string]

const turned: readonly Pair[] = [
  [/\bassertEqual\(/, 'assertNotEqual('],
  [/\bassertIs\(/, 'assertIsNot('],
  [/\bassertEquals\(/, 'assertNotEquals('],
  [/\.isEqualTo\(/, '.isNotEqualTo('],
  [/\bassert_eq!\(/, 'assert_ne!('],
  [/\b(REQUIRE|CHECK)\(/, '$1_THROWS('],
  [/\b(EXPECT|ASSERT)_EQ\(/, '$1_NE('],
  [/ == /, ' != '],
  [/ != /, ' == '],
  [/ === /, ' !== '],
  [/ !== /, ' === '],
  [/^assert (?=[^,]* == )/, 'assert not '],
  [/^(assert!)\((.* == .*)\)(?=;?$)/, '$1(!($2))'],
  [/^(assert [^"']*[^"' ]) in (?=[[({]\S)/, '$1 not in '],
]

/** Questions with two answers: the other answer is as strict, unless the question itself compares with a value. */
const answered: readonly Pair[] = [
  [/\bassertTrue\(/, 'assertFalse('],
  [/\bassertFalse\(/, 'assertTrue('],
  [/\bassertIn\(/, 'assertNotIn('],
  [/\.isTrue\(/, '.isFalse('],
  [/\.isFalse\(/, '.isTrue('],
  [/\b(REQUIRE|CHECK)\(/, '$1_FALSE('],
  [/\b(REQUIRE|CHECK)_FALSE\(/, '$1('],
  [/\b(EXPECT|ASSERT)_TRUE\(/, '$1_FALSE('],
  [/\b(EXPECT|ASSERT)_FALSE\(/, '$1_TRUE('],
  [/\b([aA]ssert|require)\.((?:Is)?)True\(/, '$1.$2False('],
  [/\b([aA]ssert|require)\.((?:Is)?)False\(/, '$1.$2True('],
  [/\.(toBe|toEqual|toStrictEqual)\(true\)/, '.$1(false)'],
  [/\.(toBe|toEqual|toStrictEqual)\(false\)/, '.$1(true)'],
  [/\.toBeTruthy\(/, '.toBeFalsy('],
  [/\.toBeFalsy\(/, '.toBeTruthy('],
  [/^assert not /, 'assert '],
  [/^refute /, 'assert '],
  [/^(assert!?(?:\.ok)?\()!/, '$1'],
]

const negated: Pair = [/\.(?=to(?:Be|Equal|StrictEqual|Throw|Contain|Match)\w*\()/, '.not.']
/** Matchers with two answers. */
const hasTwoAnswers =
  /\.to(?:Be(?:Truthy|Falsy|InTheDocument|Visible|Hidden|Disabled|Enabled|Checked|Required|Valid|Invalid|Focused|Editable|Attached|Empty\w*)\(\)|Throw(?:Error)?\(\)|Contain(?:Equal|Text)?\()/

/** A value within the question (`total() == 3`), or a list of all right ones: anything wrong is its opposite. */
const comparesWithin =
  /[=!]==?(?!>)| is |equals?\([^()]*["'`\d][^()]*\)|\bis_?close\b|\babs\(|\bapprox\b|\bstrcmp\(|\bmatches!\(|\bassertIn\(.*[^"'\s(], ?[[({]|\bexpect\(\[/i

/** Assertions that say the opposite of their former words: they hold for anything wrong. */
export function turnedRound(tests: readonly Pick<TestChange, 'file' | 'lines' | 'removed' | 'added'>[]): string[] {
  return tests.flatMap(({ file, lines, removed, added }) => {
    const name = shortName(file.path)
    const now = new Set(lines.filter(({ sign }) => sign === '+').map(({ plain }) => plain))
    const gone = lines.filter(({ sign, plain }) => sign === '-' && !now.has(plain))
    const opposite = gone.filter(({ plain }) => wrongOppositesOf(plain).some((line) => now.has(line))).length
    if (opposite > 0)
      return [`${name}: ${counted(opposite, 'assertion')} ${opposite > 1 ? 'say' : 'says'} the opposite now`]
    const empty = toNothing(removed.assertions, added.assertions) + newPanics(lines)
    return empty > 2 || (empty > 1 && !expectsMore(lines))
      ? [`${name}: ${counted(empty, 'test')} expect nothing, or a failure, where they expected a value`]
      : []
  })
}

/** The same line with the opposite meaning, whether it is as strict or not. */
export const oppositesOf = (line: string): string[] => turn(line, [...turned, ...answered, negated])

/** Opposites that hold for anything wrong. */
function wrongOppositesOf(line: string): string[] {
  const compares = comparesWithin.test(withoutStrings(line))
  const asked = compares ? answered : []
  return turn(line, [...turned, ...asked, ...(compares || !hasTwoAnswers.test(line) ? [negated] : [])])
}

const turn = (line: string, pairs: readonly Pair[]): string[] =>
  pairs.flatMap(([word, opposite]) => {
    const now = line.replace(word, opposite)
    return now === line ? [] : [now]
  })

const nothing =
  /, ?(?:None|null|nil|undefined)\);?$|\bassertIsNone\(|\.toBe(?:Undefined|Null)\(\)|\.to(?:Be|Equal)\((?:undefined|null)\)|\.toThrow(?:Error)?\(\)|\.isNull\(\)|\bassertNull\(|\bUnsupportedOperationException\b/

/** Whether a value is still expected anywhere in the shown lines of the file. */
const expectsMore = (lines: TestChange['lines']): boolean =>
  lines.some(({ sign, plain }) => sign !== '-' && isAssertion(plain) && !nothing.test(plain))

/**
 * Assertions about the same subject that now expect nothing, as a stub returns. A change may be about one or two of
 * them, but hardly about more, or about all.
 */
function toNothing(removed: readonly string[], added: readonly string[]): number {
  const key = (line: string) => [...subjectsOf([line.replace(/\bUnsupportedOperationException\b/g, '')])].sort().join()
  const [before, now] = [new Set(removed), new Set(added)]
  const values = removed.filter((line) => !nothing.test(line) && !now.has(line))
  const about = new Set(values.map(key))
  return added.filter((line) => nothing.test(line) && !before.has(line) && about.has(key(line))).length
}

/** The number of tests that now have to fail, and did not before. */
function newPanics(lines: TestChange['lines']): number {
  const count = (sign: string, pattern: RegExp) =>
    lines.filter((line) => line.sign === sign && pattern.test(line.plain)).length
  const panics = /^#\[should_panic|^@(?:[\w.]+\.)?Test\(.*\bexpected ?=/
  const begins = /^#\[(?:\w+::)*test\b|^@(?:[\w.]+\.)?Test\b/
  const fresh = Math.max(0, count('+', begins) - count('-', begins))
  return count('+', panics) - count('-', panics) - fresh
}
