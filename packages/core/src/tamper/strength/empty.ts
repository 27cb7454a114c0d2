/*
 * Lines that look like assertions but never fail: they ask nothing of the value, or ask for a text, a list or a
 * function, which are all true, or count another test's failure. The lines come without the text of strings.
 */

const nothing: readonly RegExp[] = [
  // Python: `assert lambda: …`, `assert "a == 1"`, `assert {a == 1}`, `all` of an empty list
  /^assert (?:lambda\b|f?(?:""|'')$|\{[^}]+\}$)/,
  /^assert all\(.* in (?:\[\]|\(\)|\{\})\)$/,
  // JavaScript: a matcher without a call passes by itself
  /\.to\.(?:be\.|deep\.|have\.|eventually\.)*(?:equals?|eql|include|contain|property|lengthOf|match|throw|members|keys)(?:;|$)/,
  /^expect\(.*\)\.(?:not\.)?to[A-Z]\w*;?$/,
  /^(?:t|assert)\.pass\(\)|^assert\.(?:ok|isOk)\((?:true|1|!0)[,)]/,
  /^expect\((?:true|!0|1)\)\./,
  // C#, Ruby
  /\.Should\(\);$/,
  /^expect \{.*\}$/,
  // PHP, C++, Go
  /\baddToAssertionCount\(|\bexpectNotToPerformAssertions\(/,
  /^(?:SUCCEED|GTEST_SUCCEED|Assert\.Pass)\b/,
  /\b(?:assert|require)\.\w+\((?:new\(testing\.T\)|&testing\.T\{\})/,
  /\bObjectsAreEqual\(|^console\.assert\(/,
  /\.to be$|\.to\w+\(\/\.\*?\/\);?$/,
  /\b(?:assert|require)\.\w+\(t, ([^,()]+), \1\)/,
  /\bEXPECT_(?:NON)?FATAL_FAILURE\(/,
  // Elixir
  /^assert (?:_|_\w+) = /,
  // An assignment is as true as its value.
  /^(?:assert|assert\.ok|t\.(?:truthy|ok|true)|REQUIRE|CHECK|(?:EXPECT|ASSERT)_TRUE|TEST_ASSERT(?:_TRUE)?|BOOST_(?:TEST|CHECK|REQUIRE)|Assert\.(?:True|IsTrue)|assertTrue)\(+[\w.$]+(?:->\w+)* = (?:-?[1-9]|[tT]rue\b|""|'')/,
  // One part is always true: `x ? 90 : 90`, `x && 90`, `(x, 3) == 3`
  /\? ?([\w.]+) : \1\b/,
  /[(,] ?[^&|,()]*(?:\([^()]*\))? && \d[\d.]*\)\.to/,
  /(?<![\w)\]])\([^(),]*(?:\([^()]*\))?, (\d+)\) == \1\b/,
]

/** A comment behind the code does not matter. */
const comment = /\s+(?:\/\/|#\s).*$/

export function assertsNothing(code: string): boolean {
  const plain = code.trim().replace(comment, '')
  if (nothing.some((pattern) => pattern.test(plain))) return true
  if (/^assert [[(]/.test(plain)) return isList(plain.slice('assert '.length))
  // The next line of a Java assertion is not counted as one; that of `expect` is.
  if (/^(?:\w+\.)?assertThat\(/.test(plain)) return plain.endsWith(';') && isOpening(plain)
  return isOpening(plain)
}

/** `[a == 1]`, `(a == 1 for a in all)`: a bracket around everything, with content, so that it is true. */
function isList(plain: string): boolean {
  if (closes(plain, 0) !== plain.length - 1) return false
  return plain.startsWith('[') ? /^\[\s*[^\s\]]/.test(plain) : withoutInner(plain.slice(1, -1)).includes(' for ')
}

/** The text outside of all brackets. */
function withoutInner(text: string): string {
  let outer = ''
  for (let at = 0; at < text.length; at++) {
    const end = '([{'.includes(text[at] ?? ' ') ? closes(text, at) : -1
    if (end >= 0) at = end
    else outer += text[at]
  }
  return outer
}

/** `expect(…)` or `assertThat(…)` of one value without a matcher; a message for the failure may follow. */
export function isOpening(plain: string): boolean {
  const start = /^(?:(?:await |return )?expect|(?:\w+\.)?assertThat)(?=\()/.exec(plain)?.[0].length
  if (start === undefined) return false
  const end = closes(plain, start)
  if (
    end < 0 ||
    !/^(?:\.(?:as|describedAs|withFailMessage|overridingErrorMessage)\([^()]*\))*;?$/.test(plain.slice(end + 1))
  )
    return false
  // Hamcrest's `assertThat(total, is(3))` has its matcher inside.
  return plain.includes('expect(') || !withoutInner(plain.slice(start + 1, end)).includes(',')
}

/** The place that closes the bracket at `from`; -1: it is on another line. */
function closes(text: string, from: number): number {
  let depth = 0
  for (let at = from; at < text.length; at++) {
    if ('([{'.includes(text[at] ?? ' ')) depth += 1
    else if (')]}'.includes(text[at] ?? ' ') && --depth === 0) return at
  }
  return -1
}
