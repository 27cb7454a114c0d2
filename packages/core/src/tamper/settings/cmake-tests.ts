import { withBegin } from '../../text/sorted-texts.ts'
import { nearestAbove, onceFor, word, type Around, type Lines } from './setting-lines.ts'

/* Tests of CMake: changes that keep them from failing, or that drop or replace them. */

/** The word in a line that keeps a test from failing. */
export const keptFromFailing = (lines: Lines, at: number): string | undefined =>
  inCmake(lines, at) ?? startsNothing(lines, at) ?? passesByWords(lines, at)

const inCmake = word(
  /\bCOMMAND\b.*(\|\| ?(?:true|:|exit 0)|--(?:gtest_)?list[-_]tests)|\b(WILL_FAIL|DISABLED) (?:TRUE|ON|1)\b|\b(CTEST_CUSTOM_\w*IGNORE)\b|^(?:target|add)_(?:compile_)?definitions ?\(.*\b(NDEBUG)\b|-Wl,(--wrap|--defsym)\b|\b(PASS_REGULAR_EXPRESSION) "?\.?\*?"?\)|\b(SKIP_RETURN_CODE) 1\b|\bCOMMAND\b.*(;|&&) ?(?:exit 0|true)\b|^(?!.*(?:RELEASE|RELWITHDEBINFO|MINSIZEREL|CONFIG:(?:Rel|Min))).*-D ?(NDEBUG)\b|\b((?:CMAKE_)?CROSSCOMPILING_EMULATOR|RULE_LAUNCH_\w+)\b(?!.*(?:qemu|wine|node))|^set ?\( ?(BUILD_TESTING|BUILD_TESTS|ENABLE_TEST(?:S|ING)|\w*RUN_\w*TESTS?) (?:OFF|FALSE|NO|0)\b|^(?:unset|option) ?\( ?(\w*RUN_\w*TESTS?)\b(?!.*\bON\b)|["( ](-include)[" ]|-D(REQUIRE|CHECK|TEST_CASE|assert)\b|\b(HEADER_FILE_ONLY) (?:TRUE|ON|1)\b|^(?:file ?\( ?(?:WRITE|APPEND|GENERATE|COPY\w*|REMOVE|RENAME)|configure_file ?\()(?!.*BINARY_DIR).*?(?<![\w${}.-])([\w${}.-]*?(?:test|spec)[\w.-]{0,60}\.(?:c|cc|cpp|cxx))\b|^(?:function|macro) ?\( ?(add_(?:custom_target|custom_command|test|executable|library)|target_(?:sources|link_libraries|compile_definitions)|enable_testing|(?:catch|gtest|doctest)_discover_tests)\b|(?:\b|-D)(CATCH_CONFIG_(?:DISABLE|PREFIX_ALL)|DOCTEST_CONFIG_DISABLE)\b|\bCOMMAND\b.*\|\| ?(echo)\b|\b(CMAKE_CXX_COMPILER_LAUNCHER|CMAKE_LINKER)\b(?!.*(?:cache|mold|lld|gold))|-Wl,(-e|--entry)\b|(-nostartfiles)\b/,
)

/** A former test whose exit code no longer counts. */
function passesByWords(lines: Lines, at: number): string | undefined {
  const tests = /^set_tests_properties ?\( ?(.*?) PROPERTIES\b.*\bPASS_REGULAR_EXPRESSION\b/.exec(
    lines[at]?.plain ?? '',
  )?.[1]
  const isOld = tests?.split(/\s+/).some((name) => wordsOfTests(lines).has(name))
  return isOld === true ? 'PASS_REGULAR_EXPRESSION' : undefined
}

/** The words of former tests, including their names. */
const wordsOfTests = onceFor(
  (lines: Lines) =>
    new Set(
      lines.flatMap(({ sign, plain }) => (sign === ' ' && /^add_test\b/.test(plain) ? plain.split(/[\s()]+/) : [])),
    ),
)

/** A test whose command runs none of the tested code, or that ran more before. */
function startsNothing(lines: Lines, at: number): string | undefined {
  const found = doesNothing(lines, at)
  if (found !== undefined) return isOfTheBuild(lines, at) ? undefined : found
  const shell = word(/\bCOMMAND (?:\S*\/)?(?:sh|bash) (-c)\b|\bCOMMAND \$\{CMAKE_COMMAND\}.* (-P) /)(lines, at)
  if (shell !== undefined && lostProgram(lines)) return shell
  const asked = word(/\badd_test\b.*\bCOMMAND\b.* (--help|--version)\b/)(lines, at)
  return asked !== undefined && lostCommand(lines) ? asked : undefined
}

/** Whether a former test started its program directly. */
const lostProgram = onceFor((lines: Lines) =>
  lines.some(({ sign, plain }) => sign === '-' && /\bCOMMAND (?!\$\{CMAKE_|(?:\S*\/)?(?:sh|bash)\b)/.test(plain)),
)

const lostCommand = onceFor((lines: Lines) =>
  lines.some(({ sign, plain }) => sign === '-' && /\bCOMMAND\b/.test(plain)),
)

const doesNothing = word(/\bCOMMAND (?:\S*\/)?(true|:|echo)\b|\bCOMMAND\b.*(\$\{CMAKE_COMMAND\} -E (?:true|echo))/)

/** A build may print something: `add_custom_command(… COMMAND echo …)`. */
function isOfTheBuild(lines: Lines, at: number): boolean {
  const call = /^(\w+) ?\(/
  const plain = lines[at]?.plain ?? ''
  const own = call.test(plain) ? plain : (nearestAbove(lines, at, call) ?? '')
  return /^(?:add_custom_command|execute_process)\b|^add_custom_target ?\( ?(?![\w$.{}-]{0,100}(?:tests?|check)(?![a-z]))/i.test(
    own,
  )
}

/** Names of test sources. Word by word: a single pattern would compare all places of a long word with each other. */
const testSources = (text: string): string[] =>
  text.split(/[^\w${}./-]+/).flatMap((word) => {
    const path = /^.*\.(?:c|cc|cpp|cxx)\b/i.exec(word)?.[0] ?? ''
    return /test|spec/i.test(path.slice(path.search(/[\w.-]*$/))) ? [path] : []
  })
const RUNS = /\b(?:add_test|(?:gtest|catch|doctest)_(?:discover|add)_tests) ?\(/

/** Test sources that are no longer built, and removed calls that define a test. */
export function lostInCMake(lines: Lines, { gone }: Around): string | undefined {
  const text = (sign: string): string =>
    lines
      .filter((line) => line.sign === sign && !line.plain.startsWith('#'))
      .map(({ plain }) => plain)
      .join('\n')
  const [removed, added] = [text('-'), text('+')]
  const hasSource = namedIn(testSources(added), (name) => added.includes(name))
  const isGone = namedIn(gone, (end) => gone.some((path) => path.endsWith(end)))
  const source = testSources(removed).find((name) => !hasSource(name) && !isGone(name.replace(/^.*[}/]/, '')))
  if (source !== undefined) return source
  const calls = (of: string): number => of.split('\n').filter((line) => RUNS.test(line)).length
  if (calls(removed) > calls(added) && gone.length === 0) return 'what add_test said'
  // The same command with more words chooses some tests.
  const commands = (of: string): string[] =>
    [...of.matchAll(/\badd_(?:test|custom_target) ?\((.*?\bCOMMAND .*)\)$/gm)].map(([, words = '']) => words)
  const now = commands(added).toSorted()
  const narrowed = commands(removed).find((old) => withBegin(now, `${old} `) !== undefined)
  if (narrowed !== undefined) return narrowed
  const defined = /compile_definitions ?\(.*\b(\w*(?:RUN_\w*TESTS|ALL_TESTS)\w*)/.exec(removed)?.[1]
  if (defined !== undefined && !added.includes(defined)) return defined
  const other = otherSources(lines, removed, added)
  if (other !== undefined) return other
  const targets = new Set(/\bCOMMAND\b/.test(added) ? [] : added.split(/[\s()]+/))
  const idle = [...removed.matchAll(/\badd_custom_target ?\( ?(\S{1,200}).*\bCOMMAND (\S{1,200}?)\)?$/gm)].find(
    ([, target = '']) => targets.has(target),
  )
  return idle?.[2] ?? otherInCMake(removed, added)
}

/** The most sources that are searched for elsewhere; any further one counts as lost unless its own name is found. */
const MOST_SEARCHED = 200

/** Whether a source has the name of one of these paths, or is found by a search. */
function namedIn(paths: readonly string[], search: (name: string) => boolean): (name: string) => boolean {
  const names = new Set(paths.flatMap((path) => [path, path.slice(path.lastIndexOf('/') + 1)]))
  let searched = 0
  return (name) => names.has(name) || (++searched <= MOST_SEARCHED && search(name))
}

/** A test source whose name contains a variable that has changed: `${file}_test.cpp`. */
function otherSources(lines: Lines, removed: string, added: string): string | undefined {
  const set = /^(?:set|string|unset) ?\( ?(?:REPLACE \S+ \S+ )?(\w+)\b/gm
  const was = new Set([...removed.matchAll(set)].map(([, name]) => name))
  const now = new Set([...added.matchAll(set)].flatMap(([, name = '']) => (was.has(name) ? [] : [name])))
  if (now.size === 0) return undefined
  const known = lines.flatMap(({ sign, plain }) => (sign === ' ' ? testSources(plain) : []))
  return known.find((source) => [...source.matchAll(/\$\{(\w+)\}/g)].some(([, name = '']) => now.has(name)))
}

/** A former test, by its name, that is now another program, or is linked with code from the tests. */
function otherInCMake(removed: string, added: string): string | undefined {
  const now = programsIn(added)
  const [before, made] = [madeIn(removed), madeIn(added)]
  for (const [name, program] of programsIn(removed)) {
    const other = now.get(name)
    // A new target may build the same program under another name.
    if (other !== undefined && other !== program && !made.has(`executable,${other}`)) return program
  }
  const linked = linksIn(added)
  for (const [target, former] of linksIn(removed)) {
    const libraries = linked.get(target) ?? []
    const lost = former.find((one) => /^[a-z]\w+$/.test(one) && !libraries.includes(one))
    if (lost === undefined || before.has(`library,${lost}`)) continue
    if (libraries.some((one) => made.get(`library,${one}`)?.isOfTests === true)) return `${lost} in ${target}`
  }
  return undefined
}

const programsIn = (text: string): Map<string, string> =>
  new Map(
    [...text.matchAll(/\badd_test ?\( ?NAME (\S+) COMMAND (\S+?)[ )]/g)].map(([, name = '', program = '']) => [
      name,
      program,
    ]),
  )

const linksIn = (text: string): Map<string, string[]> =>
  new Map(
    [...text.matchAll(/\btarget_link_libraries ?\( ?(\S*(?:test|spec)\S*) (.*)\)$/gim)].map(
      ([, target = '', words = '']) => [target, words.split(/\s+/)],
    ),
  )

/** The targets that a text makes, by kind and name, and whether one of their sources belongs to the tests. */
function madeIn(text: string): ReadonlyMap<string, { isOfTests: boolean }> {
  const made = new Map<string, { isOfTests: boolean }>()
  for (const line of text.split('\n')) {
    const [, kind, name] = /^add_(executable|library)[\s()]+([^\s()]+)/.exec(line) ?? []
    if (kind === undefined) continue
    const known = made.get(`${kind},${name}`)
    const isOfTests = /\b(?:tests?|fakes?|stubs?|mocks?)\//.test(line)
    made.set(`${kind},${name}`, { isOfTests: isOfTests || known?.isOfTests === true })
  }
  return made
}
