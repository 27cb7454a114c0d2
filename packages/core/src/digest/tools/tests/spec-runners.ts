import { blockTests } from '../../reading/failure-blocks.ts'
import { denoVerdicts } from './verdict-lines.ts'

export const jasmine = blockTests({
  name: 'jasmine',
  command: /\bjasmine\b/,
  signs: [' specs, ', ' spec, ', 'No specs found'],
  head: (line) => {
    const name = /^\d{1,6}\) (\S.{0,500})$/.exec(line)?.[1]
    return name === undefined || / # \S+:\d+$|::/.test(name) ? null : { path: [name] }
  },
  ends: /^(?:\d{1,9} specs?, |Pending:|Finished in |Ran \d|Randomized with)/,
  noise: /^ {2}(?:Message|Stack):$|at <Jasmine>$/,
  total:
    /^(?:(?:Ran \d{1,9} of )?(?<tests>\d{1,9}) specs?, (?<failed>\d{1,9}) failures?|No specs found$(?<testsNone>))/,
})

/** Cucumber of JavaScript and Ruby. */
export const cucumber = blockTests({
  name: 'cucumber',
  command: /\bcucumber(?:-js)?\b/,
  signs: [' scenarios (', ' scenario (', '0 scenarios\n'],
  head: (line) => {
    const [, name, place] = /^\d{1,6}\) Scenario(?: Outline)?: (.{1,400}?) # (\S{1,300}:\d{1,9})$/.exec(line) ?? []
    return name === undefined ? null : { path: [name], title: `${place} ${name}` }
  },
  ends: /^\d{1,9} scenarios? \(/,
  noise:
    /^ {3}[✔.-] |^\s*Undefined\. Implement with|^\s*(?:Given|When|Then)\('|^\s*\/\/ Write code|^\s*return 'pending'|^\s*\}\);$/,
  total:
    /^0 scenarios$(?<testsNone>)|^(?<tests>\d{1,9}) scenarios? \((?:(?<failed>\d{1,9}) failed)?(?:, )?(?:(?<failedAmbiguous>\d{1,9}) ambiguous)?(?:, )?(?:(?<failedUndefined>\d{1,9}) undefined)?(?:, )?(?:\d{1,9} (?:skipped|pending|passed)(?:, )?)*\)$/,
})

export const uvu = blockTests({
  name: 'uvu',
  command: /\buvu\b/,
  signs: ['  FAIL  ', '  Passed:    '],
  head: (line) => {
    const [, suite = '', name] = /^ {2,4}FAIL {1,4}(\S.{0,200}? )? ?"(.{1,400})"$/.exec(line) ?? []
    return name === undefined ? null : { path: suite === '' ? [name] : [suite.trim(), name] }
  },
  ends: /^ {2}Total: /,
  total: /^ {2}Total: {1,8}(?<tests>\d{1,9})$/,
})

/** Python's behave. */
export const behave = blockTests({
  name: 'behave',
  command: /\bbehave\b/,
  signs: ['Failing scenarios:', 'Errored scenarios:', ' scenarios passed, ', ' scenario passed, '],
  head: (line) => {
    const [, told, place, name] = /^( {2})(\S{1,300}\.feature:\d{1,9}) {2}(\S.{0,400})$/.exec(line) ?? []
    if (told !== undefined && place !== undefined && name !== undefined)
      return { path: [name], title: `${place} ${name}`, detail: [] }
    const [, scenario, at] =
      /^ {2}Scenario(?: Outline)?: (.{1,400}?) {1,200}# (\S{1,300}\.feature:\d{1,9})$/.exec(line) ?? []
    return scenario === undefined ? null : { path: [scenario], title: `${at} ${scenario}` }
  },
  ends: /^(?:Failing|Errored) scenarios:$/,
  needs: /^ {6}(?:ASSERT FAILED|Assertion Failed|Traceback |\w{1,60}Error\b)|# None$/,
  noise: /^ {4}\S.* # \S+:\d+(?: .*)?$/,
  total:
    /^(?<passed>\d{1,9}) scenarios? passed, (?<failed>\d{1,9}) failed(?:, (?<failedErrors>\d{1,9}) error(?:ed|s)?)?, \d{1,9} skipped/,
})

/** Robot Framework. */
export const robot = blockTests({
  name: 'robot',
  command: /\brobot\b/,
  signs: [' | FAIL |', ' | PASS |'],
  head: (line) => {
    const name = line.endsWith('| FAIL |')
      ? /^(\S.{0,300}?) {1,80}(?::: .{0,200})?\| FAIL \|$/.exec(line)?.[1]
      : undefined
    return name === undefined ? null : { path: [name] }
  },
  ends: /^(?:-{70,}|={70,})$|\| PASS \|$/,
  nested: true,
  total: /^(?<tests>\d{1,9}) tests?, \d{1,9} passed, (?<failed>\d{1,9}) failed/,
})

/** CTest, with and without `--output-on-failure`. */
export const ctest = blockTests({
  name: 'ctest',
  command: /\bctest\b/,
  programs: {},
  signs: ['% tests passed, ', 'No tests were found!!!', '***Failed', '***Exception', '***Timeout', '***Not Run'],
  head: (line) => {
    if (!line.includes('***')) return null
    const [, name, why] =
      /^ {0,6}\d{1,7}\/\d{1,7} Test {1,6}#\d{1,7}: (\S{1,300}) \.*\*\*\*(Failed|Exception: \w+|Timeout|Not Run)/.exec(
        line,
      ) ?? []
    return name === undefined || why === undefined ? null : { path: [name], detail: why === 'Failed' ? [] : [why] }
  },
  ends: /^ {4,8}Start {1,6}\d|^\d{1,3}% tests passed/,
  verdict: (line) => {
    if (!line.includes(' Test ')) return null
    const [, name, said = ''] =
      /^ {0,6}\d{1,7}\/\d{1,7} Test {1,6}#\d{1,7}: (\S.{0,300}?) \.{2,}(?: {1,3}|\*\*\*)(Passed|Skipped|Not Run|Failed|Exception|Timeout)/.exec(
        line,
      ) ?? []
    if (name === undefined) return null
    // A test that the project has disabled does not run either.
    if (said === 'Skipped' || line.includes('***Not Run (Disabled)')) return { name, is: 'skipped' }
    return { name, is: said === 'Not Run' ? 'unrun' : 'ran' }
  },
  total:
    /^(?:\d{1,3}% tests passed, (?<failed>\d{1,9}) tests? failed out of (?<tests>\d{1,9})|No tests were found!!!(?<testsNone>))$/,
})

/** Boost.Test. */
export const boost = blockTests({
  name: 'boost-test',
  command: null,
  signs: [' test case...', ' test cases...', 'error: in "', ' detected in the test module ', '*** No errors detected'],
  head: (line) => {
    if (!line.includes('error: in "')) return null
    const [, place, name, said] =
      /^(\S.{0,300}?\(\d{1,9}\)): (?:fatal )?error: in "([^"]{1,300})": (.+)$/.exec(line) ?? []
    if (place === undefined || name === undefined || said === undefined) return null
    const where = place === 'unknown location(0)' ? '' : `${place}: `
    return { path: [name], title: `${name}: ${where}${said}` }
  },
  ends: /^\*\*\* |last checkpoint/,
  // With a longer report, the module has its own line instead.
  closes: /^\*\*\* |^Test (?:module|suite) "/,
  dies: /fatal error: in "[^"]{1,300}": memory access violation/,
  total:
    /^Running (?<tests>\d{1,9}) test cases?\.{3}$|^\*\*\* (?:(?<failed>\d{1,9}) failures? (?:is|are) detected(?: \(.{1,200}\))?|No errors detected)(?: in the test module ".{1,200}")?$/,
})

/** doctest for C++, and Catch2 below. */
export const doctestCpp = blockTests({
  name: 'doctest',
  command: null,
  signs: ['[doctest] '],
  head: (line) => {
    const name = /^TEST CASE: {2}(\S.{0,300})$/.exec(line)?.[1]
    return name === undefined ? null : { path: [name] }
  },
  // With `--duration` each test has a block that ends with a line of its own.
  needs: / (?:FATAL )?ERROR: |^(?:Failed|Should have failed|Didn't fail|Allowed to fail|Test case exceeded)\b/,
  verdict: (line) => {
    const name = /^\d{1,9}\.\d{6} s: (\S.{0,300})$/.exec(line)?.[1]
    return name === undefined ? null : { name, is: 'ran' }
  },
  partly: true,
  ends: /^={70,}$|^\[doctest\] /,
  dies: / FATAL ERROR: test case CRASHED: /,
  total: /^\[doctest\] test cases: {1,9}(?<tests>\d{1,9}) \| {1,9}\d{1,9} passed \| {1,9}(?<failed>\d{1,9}) failed/,
})

/** libcheck. */
export const check = blockTests({
  name: 'check',
  command: null,
  signs: ['%: Checks: '],
  head: (line) => {
    const [, place, name, said] =
      /^(\S[^:]{0,300}:\d{1,9}):[FE]:([^:]{1,200}:[^:]{1,200}):-?\d{1,9}: (.+)$/.exec(line) ?? []
    if (place === undefined || name === undefined || said === undefined) return null
    return { path: name.split(':'), title: name, detail: [`${place}:`, said] }
  },
  ends: /^Running suite/,
  total: /^\d{1,3}%: Checks: (?<tests>\d{1,9}), Failures: (?<failed>\d{1,9}), Errors: (?<failedErrors>\d{1,9})$/,
})

/** Examples in the docstrings of Python. */
export const pythonDoctest = blockTests({
  name: 'python-doctest',
  command: /-m\s+doctest\b/,
  signs: ['***Test Failed*** ', 'Failed example:'],
  head: (line) => {
    const [, file, row, name] = /^File "(.{1,300})", line (\d{1,9}), in (\S{1,300})$/.exec(line) ?? []
    return name === undefined ? null : { path: [name], title: `${name} (${file}:${row})` }
  },
  ends: /^\*{60,}$|^\d{1,9} items? had failures:$/,
  noise: /^Failed example:$/,
  total: /^\*\*\*Test Failed\*\*\* (?<failed>\d{1,9}) failures?\./,
})

export const denoTest = blockTests({
  name: 'deno-test',
  command: /\bdeno\s+test\b/,
  signs: [' test from ', ' tests from ', '\nFAILED | ', '\nok | '],
  head: (line) => {
    const [, name, place] = / => /.test(line) ? (/^(\S.{0,400}?) => (\S{1,300}:\d{1,9}:\d{1,9})$/.exec(line) ?? []) : []
    return name === undefined ? null : { path: name.split(' ... '), title: `${name} (${place})` }
  },
  ends: /^ FAILURES$|^(?:FAILED|ok) \|/,
  total: /^(?:FAILED|ok) \| (?<passed>\d{1,9}) passed(?: \(.{1,40}\))? \| (?<failed>\d{1,9}) failed/,
  partly: true,
  verdicts: denoVerdicts,
})

/**
 * "PASS cart.TestAdd (0.00s)" of `testname`, "--- PASS: TestAdd (0.00s)" of `standard-verbose`. Both print failures in
 * the latter form.
 */
const GOTESTSUM_VERDICT =
  /^ *(?:--- (?:PASS|FAIL): |PASS (?:(?<pkg>\S{1,300})\.)?)(?<test>(?:Test|Fuzz|Example)\S{0,300}) \([\d.]{1,12}s\)$/

/** gotestsum: some of its formats say nothing of tests that passed. */
export const gotestsum = blockTests({
  name: 'gotestsum',
  command: /\bgotestsum\b/,
  signs: ['=== FAIL: ', '\nDONE ', '--- PASS: ', 'PASS '],
  head: (line) => {
    const [, folder = '', name] = line.startsWith('=== FAIL: ')
      ? (/^=== FAIL: (\S{1,300}) (\S.{0,300}?) \([\d.]{1,12}s\)$/.exec(line) ?? [])
      : []
    return name === undefined
      ? null
      : { path: folder === '.' ? [name] : [folder, name], title: folder === '.' ? name : `${folder}: ${name}` }
  },
  ends: /^=== (?!RUN|PAUSE|CONT)|^DONE /,
  noise: /^\s*--- FAIL: |^=== (?:RUN|PAUSE|CONT)/,
  partly: true,
  repeats: { from: /^=== (?:Failed|Skipped|Errors)$/, to: /^DONE / },
  verdict: (line) => {
    const { pkg, test } = GOTESTSUM_VERDICT.exec(line)?.groups ?? {}
    return test === undefined ? null : { name: pkg === undefined ? test : `${pkg} ${test}`, is: 'ran' }
  },
  total:
    /^DONE (?:\d{1,9} runs, )?(?<tests>\d{1,9}) tests?(?:, (?<skipped>\d{1,9}) skipped)?(?:, (?<failed>\d{1,9}) failures?)?(?:, (?<failedErrors>\d{1,9}) errors?)? in /,
})

/** `dart test` and `flutter test`: the counts of passed, skipped (~) and failed (-) tests are in front of each line. */
export const dartTest = blockTests({
  name: 'dart-test',
  command: /\b(?:dart|flutter)\s+(?:--\S+\s+|pub\s+run\s+|run\s+)?test(?=\s|$)/,
  signs: [': Some tests failed.', ': All tests passed!', ': All tests skipped.', '\nNo tests ran.', ' [E]\n'],
  head: (line) => {
    const name = line.endsWith(' [E]')
      ? /^\d{2,4}:\d\d \+\d[\d ~-]{0,30}: (\S.{0,400}) \[E\]$/.exec(line)?.[1]
      : undefined
    return name === undefined ? null : { path: [name] }
  },
  ends: /^\d{2,4}:\d\d \+\d|^No tests ran\.$/,
  noise: /^To run this test again: |^Consider enabling the flag chain-stack-traces/,
  total:
    /^\d{2,4}:\d\d \+(?<tests>\d{1,9})(?: ~(?<testsSkipped>(?<skipped>\d{1,9})))?(?: -(?<testsFailed>(?<failed>\d{1,9})))?: (?:All tests passed!|Some tests failed\.|All tests skipped\.)$|^No tests ran\.(?<testsNone>)$/,
})
