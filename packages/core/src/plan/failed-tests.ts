/** A test's name in its tool's output, and the form of its name in a source (a POSIX extended regular expression). */
export type FailedTest = { name: string; inSource: string }

/** Shorter names would be found anywhere. */
const SHORTEST = 3

/**
 * The tests behind the findings of a check, as far as their names can be searched in sources: without tool, message,
 * file and suites. If a tool joins the names of suite and test, or makes names from values, a search finds nothing, and
 * the caller has to take that as "not known".
 */
export function failedTests(findings: readonly string[]): FailedTest[] {
  const names = findings.flatMap((finding) => {
    const name = nameIn(finding)
    return name.length < SHORTEST || /^[#.<>\s]*$/.test(name) ? [] : [name]
  })
  return [...new Set(names)].map((name) => ({ name, inSource: sourceOf(name) }))
}

/** `vitest: cart.test.ts > Cart > adds | AssertionError: …` is `adds`. */
function nameIn(finding: string): string {
  const [title = ''] = finding.replace(/^[\w-]+: /, '').split(' | ')
  const plain = title.replace(/^● /, '').replace(/ \([^()]*\)$/, '')
  const last = plain.split(/ > | › |::|(?<=\w)#(?=[a-z_])|: /).at(-1) ?? ''
  // For a class and its method ("com.example.CartTest.sum"), but not for a sentence with a full stop.
  const named = /\s/.test(last) ? last : (last.split('.').at(-1) ?? '')
  return withoutArguments(named).trim()
}

/** `adds(int, int)[1]` without the brackets at its end. */
function withoutArguments(name: string): string {
  const at = name.indexOf('(')
  const isEnd = name.endsWith(')') || (name.endsWith(']') && name.includes(')[', at))
  return at >= 0 && isEnd ? name.slice(0, at) : name
}

/**
 * Whether a whole file's tests could not be collected: a failed import, a syntax error. Digits are `#` in a finding.
 */
export const isUnread = (finding: string): boolean =>
  /^[\w-]+: (?:[\w@.+#-]+\.\w{1,5}(?: failed to load)?|● Test suite failed to run\b.*?)(?: \||$)/.test(finding)

/**
 * Whether a runner ended before its first test because an import or a compilation failed: Mocha, Ruby, Deno, a compiler
 * that no tool of ours reads.
 */
export const isLoadError = (finding: string): boolean =>
  /\bCannot find (?:module|package)\b|\b(?:ModuleNotFound|Import|Load|Syntax|Compile)Error\b|\bModule not found\b|\berror (?:CS|FS|BC|TS)[#\d]+:/.test(
    finding,
  )

/** The name in quotes, or in a definition: `it('adds'`, `def adds(`, `func TestAdds(`, `TEST(Cart, Adds)`. */
function sourceOf(name: string): string {
  const masked = name
    .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replace(/#/g, '[0-9.,]+')
    .replace(/<(?:time|hash)>/g, '.*')
  const quoted = `["'\`]${masked}["'\`]`
  if (/\s/.test(name)) return quoted
  return `${quoted}|(def|fn|func|function|fun|void|sub|,)[[:space:]]+${masked}[[:space:]]*[()]`
}
