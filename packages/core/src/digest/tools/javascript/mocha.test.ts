import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { digestText } from '../../digest-reader.ts'
import { scanText } from '../../testing/scan-text.ts'
import { mocha } from './mocha.ts'

const output = (name: string): string =>
  readFileSync(new URL(`../../fixtures/mocha/${name}.txt`, import.meta.url), 'utf8')
const reported = (name: string) => scanText(mocha, output(name))

const titles = ['waits for what never comes', 'chai', 'multi line', 'AuthModule > testLogin', 'AuthModule > testLogout']

test.each(['fail', 'color', 'dot'])("the count is Mocha's own, and every test is named (%s)", (name) => {
  const report = reported(name)
  expect(report).toMatchObject({ failures: 6, collected: 8, summary: '6 failing' })
  expect(report?.findings.map(({ title }) => title)).toEqual([...titles, 'AuthModule > tokens > testRefresh'])
})

test('the document of the JSON reporter says the same', () => {
  const report = reported('json')
  expect(report).toMatchObject({ failures: 6, collected: 8, summary: '6 failing' })
  // Mocha joins the names of groups by spaces.
  expect(report?.findings.map(({ title }) => title)).toEqual([...titles, 'AuthModule tokens > testRefresh'])
  expect(report?.findings[1]?.detail).toBe(
    'AssertionError: expected [ 1, 2 ] to deeply equal [ 1, 3 ]\nat auth.spec.js:13:90',
  )
})

test('the detail has the difference and the first place in the project', () => {
  const [timeout, chai, , , logout, refresh] = reported('fail')?.findings ?? []
  expect(timeout?.detail).toMatch(/^Error: Timeout of 50ms exceeded\./)
  expect(chai?.detail).toMatch(/^AssertionError: expected \[ 1, 2 \] to deeply equal \[ 1, 3 \]\n[^]*-\s+2\n\+\s+3/)
  expect(chai?.detail).toMatch(/at auth\.spec\.js:13:90$/)
  expect(logout?.detail).toContain('2 !== 3')
  expect(refresh?.detail).toBe('TypeError: the name is empty\nand that is not allowed\nat auth.js:2:26')
})

test('a hook that fails is named with its group', () => {
  expect(reported('hook')).toMatchObject({
    failures: 3,
    collected: 4,
    findings: [
      {
        title: 'with a database > "before all" hook for "reads"',
        detail: 'Error: cannot connect\nat hook.spec.js:2:24',
      },
      { title: 'with a broken reset > "before each" hook: reset for "one"' },
      { title: 'that leaks > "after all" hook for "fine"' },
    ],
  })
})

test('a file that does not load ends the run, and is the failure', () => {
  const [crash] = reported('crash')?.findings ?? []
  expect(reported('crash')).toMatchObject({ failures: 1, collected: 0, summary: 'mocha failed to load the tests' })
  expect(crash?.title).toBe("Error: Cannot find module './missing.js'")
  expect(crash?.detail).toMatch(/at \/workspace\/broken\.spec\.js:1:15$/)
  expect(reported('syntax')?.findings[0]?.detail).toContain("SyntaxError: Unexpected token '='")
})

test('many failures are all counted and named', () => {
  expect(reported('many')).toMatchObject({ failures: 30, collected: 31 })
  expect(reported('many')?.findings.at(-1)?.title).toBe('case 29')
})

test('a run that passes says so in a few words, though a test prints failures', () => {
  expect(reported('pass')).toMatchObject({ failures: 0, summary: '3 tests, none failed', findings: [], collected: 3 })
})

test('a run without test files is a failure', () => {
  expect(reported('empty')).toMatchObject({ failures: 1, summary: 'no test files found', collected: 0 })
})

test('an end of a run that a test prints does not count: the later one is real', () => {
  const fake = '  1 passing (5ms)\n  3 failing\n\n  1) fake:\n     Error: x\n'
  expect(scanText(mocha, fake + output('pass'))).toMatchObject({ failures: 0, collected: 3 })
  expect(scanText(mocha, `  9 passing (5ms)\n${output('fail')}`)).toMatchObject({ failures: 6, collected: 8 })
})

describe('the names of tests that ran', () => {
  const named = (name: string) => digestText(output(name)).tests[0]

  test('include the groups, in every run of an output', () => {
    expect(named('two-runs')).toMatchObject({ ran: 5, passed: 4, failures: 1 })
    expect(named('two-runs')?.units.map(([unit]) => unit)).toEqual([
      'alone',
      'cart > adds',
      'cart > deep > mul 2',
      'cart > subs',
      'fails',
    ])
  })

  test('show a failure of the first run when the second passes', () => {
    const [first = '', second = ''] = output('two-runs').split(/(?<=1 pending\n)/)
    expect(digestText(`${second}${first}`)).toMatchObject({ passed: false, failures: 1 })
  })

  test('do not end at a printed end', () => {
    const [first = ''] = output('two-runs').split(/(?<=1 pending\n)/)
    const printed = first.replace('    ✔ subs', '\n  7 passing (3ms)\n\n    ✔ subs')
    expect(digestText(printed).tests).toMatchObject([{ ran: 3, passed: 3, units: { length: 3 } }])
  })

  test('are missing with a reporter of dots', () => {
    expect(named('dot')).toMatchObject({ units: [] })
  })
})
