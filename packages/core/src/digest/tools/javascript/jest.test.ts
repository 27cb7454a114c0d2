import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { scanText } from '../../testing/scan-text.ts'
import { jest } from './jest.ts'

const output = (name: string): string =>
  readFileSync(new URL(`../../fixtures/jest/${name}.txt`, import.meta.url), 'utf8')
const reported = (name: string) => scanText(jest, output(name))

const titles = [
  '● AuthModule › testLogin (auth.test.js)',
  '● AuthModule › testLogout (auth.test.js)',
  '● AuthModule › tokens › testRefresh (auth.test.js)',
  '● waits for what never comes (auth.test.js)',
  '● is odd: 2 (auth.test.js)',
  '● renders (other.test.js)',
]

test.each(['fail', 'color', 'verbose'])('bullets and the summary are those that Jest prints (%s)', (name) => {
  const report = reported(name)
  expect(report).toMatchObject({
    failures: 6,
    collected: 10,
    summary: 'Tests:       6 failed, 1 skipped, 1 todo, 2 passed, 10 total',
  })
  expect(report?.findings.map(({ title }) => title)).toEqual(titles)
})

test.each(['json', 'json-mixed'])('the document of --json says the same (%s)', (name) => {
  const report = reported(name)
  expect(report).toMatchObject({ failures: 6, collected: 10, summary: 'Tests: 6 failed, 2 passed, 10 total' })
  expect(report?.findings.map(({ title }) => title)).toEqual(titles)
  expect(report?.findings[1]?.detail).toBe(
    'Error: expect(received).toBe(expected) // Object.is equality\nExpected: 3\nReceived: 2\nat /workspace/auth.test.js:4:42',
  )
})

test('the detail has expected, received and the first place in the project', () => {
  const [login, logout, refresh, timeout] = reported('fail')?.findings ?? []
  expect(login?.detail).toMatch(/-   "admin": true,\n\+   "admin": false,[^]*at auth\.test\.js:3:48$/)
  expect(logout?.detail).toBe(
    'expect(received).toBe(expected) // Object.is equality\nExpected: 3\nReceived: 2\nat auth.test.js:4:42',
  )
  expect(refresh?.detail).toBe('TypeError: the name is empty\nand that is not allowed\nat auth.js:2:26')
  expect(timeout?.detail).toMatch(/^thrown: "Exceeded timeout of 50 ms for a test\./)
})

test.each(['crash', 'json-crash'])('a file that does not load is a failure with its reason (%s)', (name) => {
  const report = reported(name)
  expect(report).toMatchObject({ failures: 4, collected: 1 })
  const details = new Map(report?.findings.map(({ title, detail }) => [title, detail]))
  expect(details.get('● Test suite failed to run (broken.test.js)')).toMatch(/^Cannot find module '\.\/missing\.js'/)
  expect(details.get('● Test suite failed to run (throws.test.js)')).toBe('no database here\nat throws.test.js:1:7')
  expect(details.get('● Test suite failed to run (syntax.test.js)')).toMatch(
    /^SyntaxError: .*Unexpected token \(1:29\)/,
  )
  expect(details.get('● Test suite failed to run (empty.test.js)')).toBe(
    'Your test suite must contain at least one test.',
  )
})

test('tests that a hook fails are named, and a hook that fails after them counts', () => {
  const report = reported('hook')
  expect(report).toMatchObject({ failures: 4, collected: 4, summary: 'Tests:       3 failed, 1 passed, 4 total' })
  expect(report?.findings.map(({ title }) => title)).toEqual([
    '● with a database › reads (hook.test.js)',
    '● with a database › writes (hook.test.js)',
    '● with a broken reset › one (hook.test.js)',
    '● Test suite failed to run (hook.test.js)',
  ])
})

test('many failures are all counted', () => {
  expect(reported('many')).toMatchObject({ failures: 30, collected: 31 })
})

test('a run that passes says so in a few words, whatever its tests print', () => {
  expect(reported('pass')).toMatchObject({ failures: 0, summary: '3 tests, none failed', findings: [], collected: 3 })
})

test('a run without tests is a failure', () => {
  expect(reported('empty')).toMatchObject({ failures: 1, summary: 'no tests found', collected: 0 })
})

test('a summary that a test writes past Jest does not count: the later one is real', () => {
  const fake = 'Test Suites: 9 failed, 9 total\nTests:       99 failed, 99 total\n'
  expect(scanText(jest, fake + output('pass'))).toMatchObject({ failures: 0, collected: 3 })
  const passed = 'Test Suites: 1 passed, 1 total\nTests:       1 passed, 1 total\n'
  expect(scanText(jest, passed + output('fail'))).toMatchObject({ failures: 6, collected: 10 })
})

test('the failures that Jest lists again after many files count once', () => {
  const text = output('fail')
  const failures = text.slice(0, text.indexOf('Test Suites:'))
  const summary = text.slice(text.indexOf('Test Suites:'))
  expect(scanText(jest, `${failures}Summary of all failing tests\n${failures}${summary}`)?.findings).toHaveLength(6)
})

test('two runs in one output both count, and failures of the first are shown', () => {
  expect(reported('two-runs')).toMatchObject({ failures: 1, collected: 3, tests: { ran: 3, passed: 2 } })
  expect(reported('two-runs')?.findings.map(({ title }) => title)).toEqual(['● ja (j/a.test.cjs)'])
})
