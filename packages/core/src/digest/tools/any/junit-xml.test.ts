import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { junitXml } from './junit-xml.ts'
import { scanText } from '../../testing/scan-text.ts'
import { vitestTitles } from '../../testing/vitest-titles.ts'

const output = (name: string): string =>
  readFileSync(new URL(`../../fixtures/junit-xml/${name}.txt`, import.meta.url), 'utf8')
const reported = (name: string) => scanText(junitXml, output(name))

test("Vitest's document: every failed test is named with its file", () => {
  const report = reported('vitest')
  expect(report).toMatchObject({ failures: 6, collected: 10 })
  expect(report?.findings.map(({ title }) => title)).toEqual(vitestTitles)
  expect(report?.findings[1]?.detail).toBe(
    'AssertionError: expected 2 to be 3 // Object.is equality\n- Expected\n+ Received\n- 3\n+ 2\nat auth.test.ts:5:42',
  )
})

test("Node's document: groups are part of the name, todo tests do not fail", () => {
  const report = reported('node-test')
  expect(report).toMatchObject({ failures: 10, collected: 13 })
  expect(report?.findings.slice(0, 3).map(({ title }) => title)).toEqual([
    'AuthModule > testLogin (auth.test.js)',
    'AuthModule > testLogout (auth.test.js)',
    'AuthModule.tokens > testRefresh (auth.test.js)',
  ])
  expect(report?.findings[2]?.detail).toBe(
    'TypeError: the name is empty\nand that is not allowed\nat /workspace/auth.js:2:26',
  )
})

test("Playwright's and Mocha's documents are read too", () => {
  expect(reported('playwright')).toMatchObject({ failures: 6, collected: 8 })
  expect(reported('playwright')?.findings[1]).toEqual({
    title: 'auth.spec.ts > AuthModule › testLogout',
    detail:
      'Error: expect(received).toBe(expected) // Object.is equality\nExpected: 3\nReceived: 2\nat /workspace/auth.spec.ts:4:50',
  })
  expect(reported('mocha-xunit')).toMatchObject({ failures: 6, collected: 8 })
})

test.each([
  ['vitest-crash', 4, 5],
  ['node-test-crash', 2, 3],
])('a file that does not load is a failure (%s)', (name, failures, collected) => {
  expect(reported(name)).toMatchObject({ failures, collected })
})

test.each(['vitest-pass', 'node-pass'])('a run that passes is described in a few words (%s)', (name) => {
  expect(reported(name)).toMatchObject({ failures: 0, findings: [] })
  expect(reported(name)?.summary).toMatch(/^\d tests, none failed$/)
})

test('a document is the same however it is cut, and text around it is output', () => {
  const text = `building…\n${output('vitest')}done <b>\n`
  const whole = scanText(junitXml, text)
  for (const size of [1, 7, 1000]) expect(scanText(junitXml, text, size)).toEqual(whole)
  expect(whole).toEqual(reported('vitest'))
})

test('XML that a test prints inside its output is text', () => {
  const text =
    '<testsuites><testsuite><testcase name="a"><system-out>&lt;testcase name="b"&gt;&lt;failure/&gt;<![CDATA[<failure message="x"/>]]></system-out></testcase></testsuite></testsuites>'
  expect(scanText(junitXml, text)).toMatchObject({ failures: 0, collected: 1 })
})

test('a message spans lines, with entities', () => {
  const text =
    '<testsuite>\n<testcase classname="A" name="b">\n<failure message="1 &lt; 2&#10;is &quot;not&quot;\nso"/></testcase></testsuite>'
  expect(scanText(junitXml, text)?.findings).toEqual([{ title: 'A > b', detail: '1 < 2\nis "not"\nso' }])
})
