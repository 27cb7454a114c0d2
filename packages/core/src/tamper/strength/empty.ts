/*
 * Lines that look like assertions and fail for no value: nothing is asked of what they name, what they ask is a text, a list or
 * a function, which are all true, or another test's failure is what they count as one. Lines come without the text of strings.
 */

const nothing: readonly RegExp[] = [
  // Python: `assert lambda: …`, `assert [a == 1]`, `assert "a == 1"`, `assert (a == 1 for …)`, all of nothing
  /^assert (?:lambda\b|f?(?:""|'')$|\{[^}]+\}$|\[(?!\s*\]).*\]$|\(.* for .*\)$)/,
  /^assert all\(.* in (?:\[\]|\(\)|\{\})\)$/,
  // JavaScript: a matcher that is not called, passes by itself
  /\.to\.(?:be\.|deep\.|have\.|eventually\.)*(?:equals?|eql|include|contain|property|lengthOf|match|throw|members|keys)(?:;|$)/,
  /^expect\(.*\)\.(?:not\.)?to[A-Z]\w*;?$/,
  /^(?:t|assert)\.pass\(\)|^assert\.(?:ok|isOk)\((?:true|1|!0)\b/,
  /^expect\((?:true|!0|1)\)\./,
  // Java: what is asserted, without what about it
  /^(?:\w+\.)?assertThat\(/,
  // C#, Ruby
  /\.Should\(\);?$/,
  /^expect\([^()]*(?:\([^()]*\)[^()]*)*\)$|^expect \{.*\}$/,
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
  // A part of it that is true whatever the rest is: `x ? 90 : 90`, `x && 90`, `(x, 3) == 3`
  /\? ?([\w.]+) : \1\b/,
  /[(,] ?[^&|,()]*(?:\([^()]*\))? && \d[\d.]*\)\.to/,
  /\([^(),]*(?:\([^()]*\))?, (\d+)\) == \1\b/,
]

/** A comment behind it says nothing. */
const comment = /\s+(?:\/\/|#\s).*$/

export function assertsNothing(code: string): boolean {
  const plain = code.trim().replace(comment, '')
  if (!nothing.some((pattern) => pattern.test(plain))) return false
  // What Java asserts is behind the bracket that closes.
  return !/^(?:\w+\.)?assertThat\(/.test(plain) || endsAtOnce(plain) || /\? ?([\w.]+) : \1\b/.test(plain)
}

/** Whether nothing but words for the failure follows `assertThat(…)`. */
function endsAtOnce(plain: string): boolean {
  let depth = 0
  for (let at = plain.indexOf('('); at < plain.length; at++) {
    if (plain[at] === '(') depth += 1
    else if (plain[at] === ')' && --depth === 0)
      return /^(?:\.(?:as|describedAs|withFailMessage|overridingErrorMessage)\([^()]*\))*;$/.test(plain.slice(at + 1))
  }
  return false
}
