import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { playwright } from './playwright.ts'
import { scanText } from '../../testing/scan-text.ts'

const output = (name: string): string =>
  readFileSync(new URL(`../../fixtures/playwright/${name}.txt`, import.meta.url), 'utf8')
const reported = (name: string) => scanText(playwright, output(name))

const titles = [
  '[chromium] › auth.spec.ts:3:3 › AuthModule › testLogin',
  '[chromium] › auth.spec.ts:4:3 › AuthModule › testLogout',
  '[chromium] › auth.spec.ts:6:3 › AuthModule › testRefresh',
  '[chromium] › auth.spec.ts:8:1 › waits for what never comes',
  '[chromium] › auth.spec.ts:9:1 › has a title',
  '[chromium] › auth.spec.ts:10:1 › flaky one',
]

test.each(['fail', 'color', 'line', 'dot'])('every failed test is named as Playwright names it (%s)', (name) => {
  const report = reported(name)
  expect(report).toMatchObject({ failures: 6, collected: 8 })
  expect(report?.summary).toBe('6 tests failed in auth.spec.ts: AuthModule > testLogin, AuthModule > testLogout, …')
  expect(report?.findings.map(({ title }) => title)).toEqual(titles)
})

test('the document of the JSON reporter has the same failures', () => {
  const report = reported('json')
  expect(report).toMatchObject({ failures: 6, collected: 8 })
  expect(report?.findings.map(({ title }) => title).toSorted()).toEqual(
    titles.map((title) => title.replace(/:\d+:\d+/, '')).toSorted(),
  )
  expect(report?.findings.find(({ title }) => title.endsWith('testLogout'))?.detail).toBe(
    'Error: expect(received).toBe(expected) // Object.is equality\nExpected: 3\nReceived: 2\nat /workspace/auth.spec.ts:4:50',
  )
})

test("the detail has expected, received and the place, without source and a browser's call log", () => {
  const findings = reported('fail')?.findings ?? []
  expect(findings[1]?.detail).toBe(
    'Error: expect(received).toBe(expected) // Object.is equality\nExpected: 3\nReceived: 2\nat /workspace/auth.spec.ts:4:50',
  )
  expect(findings[3]?.detail).toBe('Test timeout of 100ms exceeded.')
  expect(findings[4]?.detail).toMatch(/Expected: "Open"\nReceived: "Save"\n[^]*at \/workspace\/auth\.spec\.ts:9:146$/)
})

test('a flaky test is no failure; one that fails every retry is one', () => {
  const report = reported('retries')
  expect(report).toMatchObject({ failures: 5, collected: 8 })
  expect(report?.findings.map(({ title }) => title)).toEqual(titles.slice(0, 5))
})

test('a hook that fails fails its test', () => {
  const report = reported('hook')
  expect(report).toMatchObject({
    failures: 2,
    collected: 3,
    findings: [
      { detail: 'Error: cannot connect\nat /workspace/hook.spec.ts:3:38' },
      { title: expect.stringContaining('fine') },
    ],
  })
})

test.each(['crash', 'json-crash'])('a file that does not load is a failure with its reason (%s)', (name) => {
  const report = reported(name)
  expect(report).toMatchObject({ failures: 2, collected: 0 })
  expect(report?.summary).toBe('2 tests failed: broken.spec.ts, syntax.spec.ts')
  expect(report?.findings[0]?.title).toBe('broken.spec.ts failed to load')
  expect(report?.findings[0]?.detail).toMatch(/^Error: Cannot find module '\.\/missing'/)
  expect(report?.findings[1]?.detail).toMatch(/^SyntaxError: \/workspace\/syntax\.spec\.ts: Unexpected token \(2:35\)/)
})

test('many failures are all counted', () => {
  expect(reported('many')).toMatchObject({ failures: 15, collected: 15 })
})

test('a run that passes says so in a few words, though a test prints a summary of failures', () => {
  expect(reported('pass')).toMatchObject({ failures: 0, summary: '2 tests, none failed', findings: [], collected: 2 })
})

test('the list reporter names each test that ran once, without its line, however often it was tried', () => {
  expect(reported('pass')?.tests).toMatchObject({
    ran: 1,
    passed: 1,
    units: [['pass.spec.ts › Error: failed to fail [chromium]', 1]],
  })
  const names = [
    'auth.spec.ts › AuthModule › is an Error that failed, and passes [chromium]',
    'auth.spec.ts › AuthModule › testLogin [chromium]',
  ]
  for (const name of ['fail', 'color', 'retries']) {
    const { ran, units } = reported(name)?.tests ?? {}
    expect(ran, name).toBe(7)
    expect(units, name).toHaveLength(7)
    expect(
      units?.slice(0, 2).map(([unit]) => unit),
      name,
    ).toEqual(names)
  }
})

test('other reporters name no passed test, and a skipped one did not run', () => {
  for (const name of ['dot', 'line']) expect(reported(name)?.tests, name).toMatchObject({ ran: 7, units: [] })
})

test('a run without tests is a failure', () => {
  expect(reported('empty')).toMatchObject({ failures: 1, summary: 'no tests found', collected: 0 })
})
