import { blockTests, type Verdict } from '../../reading/failure-blocks.ts'

/*
 * Runners with a line for each test and a line for each of their counts.
 */

const MESON_LINE =
  /^ {0,6}\d{1,7}\/\d{1,7} (\S.{0,300}?) {1,200}(OK|FAIL|ERROR|TIMEOUT|SKIP|EXPECTEDFAIL|UNEXPECTEDPASS|INTERRUPT) {1,20}\d/
const MESON_FAILED: ReadonlySet<string> = new Set(['FAIL', 'ERROR', 'TIMEOUT', 'UNEXPECTEDPASS', 'INTERRUPT'])

/** `meson test`. A test that fails as expected has passed. */
export const meson = blockTests({
  name: 'meson',
  command: /\bmeson\s+test\b/,
  programs: {},
  signs: ['\nOk: ', 'Full log written to ', 'No tests defined'],
  head: (line) => {
    const [, name, said = ''] = mesonLine(line) ?? []
    if (name === undefined || !MESON_FAILED.has(said)) return null
    return { path: [name], detail: said === 'FAIL' ? [] : [said.toLowerCase()] }
  },
  ends: /^ {0,6}\d{1,7}\/\d{1,7} |^Summary of Failures:/,
  noise: /^>>> |^―{3,}|^std(?:out|err):$|^\s*$/,
  total:
    /^(?:(?:Ok|Expected Fail): {1,20}(?<tests>\d{1,9})|(?:Fail|Unexpected Pass|Timeout): {1,20}(?<testsFailed>(?<failed>\d{1,9}))|Skipped: {1,20}(?<testsSkipped>(?<skipped>\d{1,9}))|No tests defined\.(?<testsNone>)) {0,10}$/,
  verdict: (line): Verdict | null => {
    const [, name, said] = mesonLine(line) ?? []
    return name === undefined ? null : { name, is: said === 'SKIP' ? 'skipped' : 'ran' }
  },
  repeats: { from: /^Summary of Failures:/, to: null },
})

const mesonLine = (line: string): RegExpExecArray | null =>
  line.charCodeAt(0) === 0x20 || /^\d/.test(line) ? MESON_LINE.exec(line) : null

const AUTOMAKE_LINE = /^(PASS|FAIL|SKIP|XFAIL|XPASS|ERROR): (\S.{0,300})$/
const AUTOMAKE_BLOCK = /^(?:FAIL|ERROR|XPASS): (\S.{0,300})$/

/** The tests of Automake; `VERBOSE=1` prints their log. */
export const automake = blockTests({
  name: 'automake',
  command: null,
  // "FAIL: cart.t 3 - totals": TAP.
  programs: { single: /\S \d{1,7}(?: - .*)?$/ },
  signs: ['Testsuite summary for ', '\n# TOTAL: '],
  head: (line) => {
    const name = AUTOMAKE_BLOCK.exec(line)?.[1]
    return name === undefined ? null : { path: [name] }
  },
  ends: /^(?:PASS|SKIP|XFAIL): |^(?:FAIL|ERROR|XPASS) \S.* \(exit status: \d+\)$|^={70,}$|^# TOTAL/,
  noise: /^={3,}$|^\s*$|^make(?:\[\d+\])?: /,
  total:
    /^# (?:(?:PASS|XFAIL): {1,3}(?<tests>\d{1,9})|(?:FAIL|XPASS|ERROR): {1,3}(?<testsFailed>(?<failed>\d{1,9}))|SKIP: {1,3}(?<testsSkipped>(?<skipped>\d{1,9})))$/,
  verdict: (line): Verdict | null => {
    const [, said, name] = AUTOMAKE_LINE.exec(line) ?? []
    return name === undefined ? null : { name, is: said === 'SKIP' ? 'skipped' : 'ran' }
  },
  // `VERBOSE=1` prints the log of all tests before their summary, and each directory has its own.
  repeats: { from: /^ {2,4}\S.*: \.\/\S*test-suite\.log$/, to: /^Testsuite summary for / },
  tally: { from: /^Testsuite summary for /, through: /^(?:# [A-Z]+: |={70,}$)/ },
})

/** `zig build test --summary all`. */
export const zigTest = blockTests({
  name: 'zig-test',
  command: /(?:^|[\s;&|/])zig\s+(?:build\s+)?test(?=\s|$)/,
  signs: ['Build Summary: ', "' failed: "],
  head: (line) => {
    const [, name, said] = line.startsWith("error: '") ? (/^error: '(.{1,300}?)' failed:(.*)$/.exec(line) ?? []) : []
    return name === undefined ? null : { path: [name], detail: said?.trim() ? [said.trim()] : [] }
  },
  ends: /^error: while executing test|^Build Summary: /,
  noise: /^\s{4,}|^\S+\/lib\/std\/|^\S+\.zig:\d+:\d+: 0x/,
  place: /^(?!\S*\/lib\/std\/)(\S{1,300}\.zig:\d{1,9}):\d{1,9}: 0x/,
  total:
    /^Build Summary: .{0,200}?\d{1,9}\/(?<tests>\d{1,9}) tests? passed(?:; (?<skipped>\d{1,9}) skipped)?(?:; (?<failed>\d{1,9}) failed)?/,
})
