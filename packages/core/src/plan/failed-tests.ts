/** A test as the output of its tool names it, and how its name looks in a source (a POSIX extended regular expression). */
export type FailedTest = { name: string; inSource: string }

/** Shorter ones are found anywhere. */
const SHORTEST = 3

/**
 * The tests behind the findings of a check, as far as their names can be looked for in sources: without tool, message,
 * file and suites. Where a tool joins the names of suite and test, or makes names of values, nothing is found, and
 * whoever looks has to take that as "not known".
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
  // A class and its method ("com.example.CartTest.sum"), but no sentence with a full stop.
  const named = /\s/.test(last) ? last : (last.split('.').at(-1) ?? '')
  return withoutArguments(named).trim()
}

/** `adds(int, int)[1]` without what is in brackets at its end. */
function withoutArguments(name: string): string {
  const at = name.indexOf('(')
  const isEnd = name.endsWith(')') || (name.endsWith(']') && name.includes(')[', at))
  return at >= 0 && isEnd ? name.slice(0, at) : name
}

/** A whole file whose tests could not be collected: an import that fails, an error of syntax. Digits are `#` in a finding. */
export const isUnread = (finding: string): boolean =>
  /^[\w-]+: (?:[\w@.+#-]+\.\w{1,5}(?: failed to load)?|● Test suite failed to run\b.*?)(?: \||$)/.test(finding)

/**
 * What a runner says that ends before its first test, because something could not be imported or compiled: Mocha, Ruby, Deno, a
 * compiler that no tool of ours reads.
 */
export const isLoadError = (finding: string): boolean =>
  /\bCannot find (?:module|package)\b|\b(?:ModuleNotFound|Import|Load|Syntax|Compile)Error\b|\bModule not found\b|\berror (?:CS|FS|BC|TS)[#\d]+:/.test(
    finding,
  )

/** In quotes, or as what is defined: `it('adds'`, `def adds(`, `func TestAdds(`, `TEST(Cart, Adds)`. */
function sourceOf(name: string): string {
  const masked = name
    .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replace(/#/g, '[0-9.,]+')
    .replace(/<(?:time|hash)>/g, '.*')
  const quoted = `["'\`]${masked}["'\`]`
  if (/\s/.test(name)) return quoted
  return `${quoted}|(def|fn|func|function|fun|void|sub|,)[[:space:]]+${masked}[[:space:]]*[()]`
}
