import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { tap } from './tap.ts'
import { scanText } from '../../testing/scan-text.ts'

const output = (name: string): string =>
  readFileSync(new URL(`../../fixtures/tap/${name}.txt`, import.meta.url), 'utf8')
const reported = (name: string) => scanText(tap, output(name))

test('tape: assertions are named with their test, with expected, actual and place', () => {
  const report = reported('tape')
  expect(report).toMatchObject({ failures: 4, collected: 7 })
  expect(report?.findings.slice(0, 3)).toEqual([
    { title: 'AuthModule > adds up', detail: 'expected: 3\nactual: 2\nat /workspace/a.js:3:5' },
    { title: 'AuthModule > same shape', detail: 'expected: { a: 2 }\nactual: { a: 1 }\nat /workspace/a.js:4:5' },
    { title: 'throws > always fails', detail: 'at /workspace/a.js:8:27' },
  ])
})

test('a run that ends before its plan is a failure, with the thrown error', () => {
  expect(reported('tape-crash')).toMatchObject({
    failures: 1,
    collected: 1,
    findings: [
      { title: 'the run ended before its plan', detail: 'Error: crash in the middle\nat /workspace/crash.js:1:77' },
    ],
  })
})

test('a run that passes says so in a few words, whatever its tests are called', () => {
  expect(reported('tape-pass')).toMatchObject({
    failures: 0,
    summary: '1 test, none failed',
    findings: [],
    collected: 1,
  })
})

test.each(['vitest', 'vitest-flat'])('groups of Vitest are part of the name, and are no tests (%s)', (name) => {
  const report = reported(name)
  expect(report).toMatchObject({ failures: 6, collected: 10 })
  const titles = report?.findings.map(({ title }) => title)
  expect(titles?.slice(0, 4)).toEqual([
    'auth.test.ts > AuthModule > testLogin',
    'auth.test.ts > AuthModule > testLogout',
    'auth.test.ts > AuthModule > tokens > testRefresh',
    'auth.test.ts > waits for what never comes',
  ])
  expect(report?.findings[1]?.detail).toBe(
    'AssertionError\nexpected 2 to be 3 // Object.is equality\nactual: 2\nexpected: 3\nat /workspace/auth.test.ts:5:42',
  )
})

test("Mocha's points have their message below them, without a block", () => {
  const report = reported('mocha')
  expect(report).toMatchObject({ failures: 6, collected: 8 })
  expect(report?.findings[3]?.title).toBe('AuthModule testLogin')
  expect(report?.findings[4]?.detail).toContain('2 !== 3')
})

test('skipped and todo tests do not fail', () => {
  const text = 'TAP version 14\n1..3\nok 1 - a # SKIP no network\nnot ok 2 - b # TODO later\nok 3 - c\n'
  expect(scanText(tap, text)).toMatchObject({ failures: 0, collected: 3 })
})

test('a producer that gives up says why', () => {
  expect(scanText(tap, 'TAP version 13\n1..4\nok 1 a\nBail out! no database\n')).toMatchObject({
    failures: 1,
    findings: [{ title: 'Bail out! no database' }],
  })
})

test("words like the protocol's and the output of Node's runner are ignored", () => {
  expect(scanText(tap, 'ok  \texample.com/a\t0.1s\nnot ok, he said')).toBeNull()
  const node = readFileSync(new URL('../../fixtures/node-test/tap.txt', import.meta.url), 'utf8')
  expect(scanText(tap, node)).toBeNull()
})

test("Perl's own: comments explain the test before them", () => {
  expect(reported('perl')).toMatchObject({
    failures: 2,
    collected: 4,
    findings: [
      { title: 'adds up', detail: "Failed test 'adds up'\nat t/auth.t line 2.\n       got: '2'\n  expected: '3'" },
      { title: 'same shape' },
    ],
  })
})

test('prove: failed tests are named, and a file that ended early counts as one', () => {
  const report = reported('prove')
  expect(report).toMatchObject({ failures: 3, collected: 6 })
  expect(report?.findings.map(({ title }) => title)).toEqual(['adds up', 'same shape', 't/crash.t'])
  expect(report?.findings[2]?.detail).toBe(
    'Non-zero exit status: 255\nParse errors: Bad plan.  You planned 2 tests but ran 1.',
  )
  expect(reported('prove-pass')).toMatchObject({ failures: 0, collected: 1 })
})

test('a producer that fails is not hidden by a later one that passes', () => {
  expect(scanText(tap, output('tape') + output('tape-pass'))).toMatchObject({ failures: 4, collected: 8 })
})
