import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { nodeTest } from './node-test.ts'
import { scanText } from '../../testing/scan-text.ts'

const output = (name: string): string =>
  readFileSync(new URL(`../../fixtures/node-test/${name}.txt`, import.meta.url), 'utf8')
const reported = (name: string) => scanText(nodeTest, output(name))

const names = [
  'AuthModule > testLogin',
  'AuthModule > testLogout',
  'AuthModule > tokens > testRefresh',
  'waits for what never comes',
  'multi line',
  'parent > child: with # and \\ signs',
  'with a database > reads',
  'with a database > writes',
  'with a database',
  'with a broken reset > one',
  'prints',
]

test.each(['fail', 'color'])(
  'every failed test is named with its groups and its file, as the runner counts them (%s)',
  (name) => {
    const report = reported(name)
    expect(report).toMatchObject({ failures: 11, collected: 14 })
    expect(report?.findings.map(({ title }) => title)).toEqual(
      names.map((title) => `${title} (${title === 'prints' ? 'other' : 'auth'}.test.js)`),
    )
    expect(report?.summary).toBe(
      '11 tests failed: testLogin, testLogout, testRefresh, waits for what never comes, multi line, …',
    )
  },
)

test('its TAP says the same: a group with failing tests is no failure itself, one with a failing hook is', () => {
  const report = reported('tap')
  expect(report).toMatchObject({ failures: 11, collected: 14 })
  expect(report?.findings.map(({ title }) => title)).toEqual(names)
  expect(report?.findings[1]?.detail).toBe(
    'Expected values to be strictly equal:\n  2 !== 3\nexpected: 3\nactual: 2\nat /workspace/auth.test.js:6:35',
  )
})

test('the dot reporter gives names without groups, and no number of tests', () => {
  const report = reported('dot')
  expect(report).toMatchObject({ failures: 11, collected: null })
  expect(report?.findings.map(({ title }) => title)).toEqual(names.map((name) => name.split(' > ').at(-1)))
})

test('the detail has the difference and the first place in the project', () => {
  const [login, logout, refresh, timeout] = reported('fail')?.findings ?? []
  expect(login?.detail).toMatch(/\+ {3}admin: false,\n- {3}admin: true,[^]*at \/workspace\/auth\.test\.js:5:34$/)
  expect(logout?.detail).toMatch(/^AssertionError.*\n2 !== 3\nat \/workspace\/auth\.test\.js:6:35$/)
  expect(refresh?.detail).toBe('TypeError: the name is empty\nand that is not allowed\nat /workspace/auth.js:2:26')
  expect(timeout?.detail).toBe("'test timed out after 50ms'")
})

test.each(['crash', 'tap-crash'])('a file that does not load is explained by its earlier output (%s)', (name) => {
  const report = reported(name)
  expect(report).toMatchObject({ failures: 2, collected: 3, summary: '2 tests failed: a.test.js, b.test.js' })
  expect(report?.findings[0]?.detail).toMatch(/^Error: Cannot find module '\.\/missing\.js'[^]*a\.test\.js:1:1$/)
  expect(report?.findings[1]?.detail).toBe("SyntaxError: Unexpected token '='")
})

test('a summary that a test prints does not count: the later one is real', () => {
  expect(reported('single')).toMatchObject({
    failures: 1,
    summary: '1 test failed: prints',
    named: true,
    findings: [{ title: 'prints (other.test.js)', detail: "'a string'" }],
    collected: 1,
  })
})

test.each(['pass', 'tap-pass'])('a run that passes says so in a few words, whatever its tests print (%s)', (name) => {
  expect(reported(name)).toMatchObject({ failures: 0, summary: '2 tests, none failed', findings: [], collected: 2 })
})

test('a run without tests passes, and says that there were none', () => {
  expect(reported('empty')).toMatchObject({ failures: 0, collected: 0 })
})

test('marks that other tools print are ignored', () => {
  expect(scanText(nodeTest, '✖ 3 problems (3 errors, 0 warnings)\n✔ built')).toBeNull()
  expect(scanText(nodeTest, 'TAP version 13\nnot ok 1 x\n1..1\n# tests 1\n# pass 0\n# fail 1')).toBeNull()
})

test('two runs in one output both count, and failures of the first are shown', () => {
  expect(reported('two-runs')).toMatchObject({ failures: 1, collected: 3, tests: { ran: 3, passed: 2 } })
  expect(reported('two-runs')?.findings.map(({ title }) => title)).toEqual(['n1 (n1.mjs)'])
  const tap = 'TAP version 13\n# Subtest: a\nnot ok 1 - a\n1..1\n# tests 1\n# pass 0\n# fail 1\n# cancelled 0\n'
  const [twice] = [
    scanText(nodeTest, `${tap}${tap.replace('not ok', 'ok').replace('pass 0\n# fail 1', 'pass 1\n# fail 0')}`),
  ]
  expect(twice).toMatchObject({ failures: 1, tests: { ran: 2, passed: 1 } })
})

test('a run that a test starts and prints is not its own', () => {
  const one = (...names: string[]) =>
    `${names.map((name) => `✔ ${name} (1ms)\n`).join('')}ℹ tests ${names.length}\nℹ pass ${names.length}\nℹ fail 0\nℹ cancelled 0\nℹ duration_ms 5\n`
  const outer = `✔ first (1ms)\n✔ second (1ms)\n${one('inner')}✔ third (1ms)\n`
  const counts = one('a', 'b', 'c').replace(/✔.*\n/g, '')
  expect(scanText(nodeTest, `${outer}${counts}`)).toMatchObject({ tests: { ran: 3, passed: 3 } })
})
