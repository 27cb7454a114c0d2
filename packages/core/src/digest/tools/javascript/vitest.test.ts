import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { scanText } from '../../testing/scan-text.ts'
import { digestText } from '../../digest-reader.ts'
import { vitestTitles } from '../../testing/vitest-titles.ts'
import { vitest } from './vitest.ts'

const output = (name: string): string =>
  readFileSync(new URL(`../../fixtures/vitest/${name}.txt`, import.meta.url), 'utf8')
const reported = (name: string) => scanText(vitest, output(name))

test('three tests that fail in one group share one line, with the group', () => {
  expect(reported('one-group')).toMatchObject({
    failures: 3,
    collected: 4,
    summary: '3 tests failed in AuthModule: testLogin, testLogout, testRefresh',
  })
  expect(digestText(output('one-group')).summary).toBe(
    '3 tests failed in AuthModule: testLogin, testLogout, testRefresh',
  )
})

test.each(['fail', 'color', 'verbose', 'dot', 'fail-v3', 'json'])(
  'every failed test is named with its file and groups (%s)',
  (name) => {
    const report = reported(name)
    expect(report).toMatchObject({ failures: 6, collected: 10 })
    expect(report?.summary).toMatch(/^6 tests failed: testLogin, testLogout, testRefresh, waits for what never comes/)
    expect(report?.findings.map(({ title }) => title)).toEqual(vitestTitles)
  },
)

test('the detail has the values that differ and the first place in the project, without source', () => {
  const [login, logout, refresh, timeout] = reported('fail')?.findings ?? []
  expect(login?.detail).toBe(
    [
      "AssertionError: expected { name: 'ann', admin: false } to deeply equal { name: 'ann', admin: true }",
      '- Expected',
      '+ Received',
      '  {',
      '-   "admin": true,',
      '+   "admin": false,',
      '    "name": "ann",',
      '  }',
      'at auth.test.ts:4:48',
    ].join('\n'),
  )
  expect(logout?.detail).toBe(
    'AssertionError: expected 2 to be 3 // Object.is equality\n- Expected\n+ Received\n- 3\n+ 2\nat auth.test.ts:5:42',
  )
  expect(refresh?.detail).toBe('TypeError: the name is empty\nand that is not allowed\nat auth.ts:2:26')
  expect(timeout?.detail).toMatch(/^TestTimeoutError: Test timed out in 50ms\./)
})

test.each(['crash', 'json-crash'])('a file that does not load is a failure with its reason (%s)', (name) => {
  const report = reported(name)
  expect(report).toMatchObject({ failures: 4, collected: 1 })
  expect(report?.findings.map(({ title }) => title)).toEqual([
    'broken.test.ts',
    'empty.test.ts',
    'syntax.test.ts',
    'throws.test.ts',
  ])
  expect(report?.findings[0]?.detail).toContain("Cannot find module './missing.ts'")
  expect(report?.findings[1]?.detail).toContain('No test suite found')
  expect(report?.findings[2]?.detail).toContain('Transform failed with 1 error')
  expect(report?.findings[3]?.detail).toContain('no database here')
})

test('failing hooks and uncaught errors are failures', () => {
  const report = reported('hook')
  expect(report).toMatchObject({ failures: 4, collected: 5 })
  expect(report?.findings).toEqual([
    { title: 'hook.test.ts > with a database', detail: 'Error: cannot connect\nat hook.test.ts:3:27' },
    { title: 'hook.test.ts > that leaks', detail: 'Error: cannot close\nat hook.test.ts:10:55' },
    { title: 'hook.test.ts > with a broken reset > one', detail: 'Error: cannot reset\nat hook.test.ts:7:28' },
    {
      title: 'Unhandled Rejection: Error: nobody caught me',
      detail: 'Error: nobody caught me\nat hook.test.ts:11:46',
    },
  ])
})

test('the summary names as many of the failures as fit', () => {
  const report = reported('many')
  expect(report).toMatchObject({ failures: 30, collected: 31 })
  expect(report?.findings).toHaveLength(30)
  expect(report?.summary).toMatch(/^30 tests failed in many\.test\.ts: case 0, case 1, .*, …$/)
  expect(report?.summary.length).toBeLessThanOrEqual(100)
})

test('a run that passes says so in a few words, whatever its tests are called and print', () => {
  expect(reported('pass')).toMatchObject({ failures: 0, summary: '3 tests, none failed', findings: [], collected: 3 })
})

test('a run without test files is a failure without findings', () => {
  expect(reported('empty')).toMatchObject({ failures: 1, summary: 'no test files found', findings: [], collected: 0 })
})

test('a summary that a test prints does not count: the later one is real', () => {
  expect(reported('hostile')).toMatchObject({
    failures: 1,
    collected: 1,
    findings: [{ title: 'fake.test.ts > really fails' }],
  })
})

test('a run that fails is not hidden by a later one that passes', () => {
  const report = scanText(vitest, `${output('one-group')}\n${output('pass')}`)
  expect(report).toMatchObject({ failures: 3, collected: 7 })
})

test('a document that a test prints does not hide the failures that come after it', () => {
  const fake = '{"numTotalTestSuites":1,"numFailedTests":0,"numTotalTests":9,"success":true,"testResults":[]}\n'
  expect(scanText(vitest, fake + output('one-group'))).toMatchObject({ failures: 3 })
})

test('a run that was cut off still names what it had listed', () => {
  const text = output('fail')
  expect(scanText(vitest, text.slice(0, text.indexOf('[3/6]')))).toMatchObject({ failures: 6, collected: null })
})

test("other tools' documents are not taken for Vitest's", () => {
  expect(scanText(vitest, '{"numFailedTestSuites":2,"numTotalTests":1}')).toBeNull()
  expect(scanText(vitest, 'nothing of it')).toBeNull()
})
