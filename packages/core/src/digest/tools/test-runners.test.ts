import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MAX_NAMED, type ToolReport } from '../digest-tool.ts'
import { jest } from './javascript/jest.ts'
import { junitXml } from './any/junit-xml.ts'
import { mocha } from './javascript/mocha.ts'
import { nodeTest } from './javascript/node-test.ts'
import { playwright } from './javascript/playwright.ts'
import { tap } from './any/tap.ts'
import { scanText } from '../testing/scan-text.ts'
import { vitest } from './javascript/vitest.ts'

/** The output of test tools, cut, mixed and in bulk. */
const tools = [vitest, jest, mocha, nodeTest, playwright, tap, junitXml]
const outputs = tools.flatMap(({ name }) => {
  const folder = new URL(`../fixtures/${name}/`, import.meta.url)
  return readdirSync(folder).map((file) => ({
    tool: name,
    name: `${name}/${file}`,
    text: readFileSync(new URL(file, folder), 'utf8'),
  }))
})

function expectSane(report: ToolReport | null): void {
  if (report === null) return
  expect(report.failures).toBeGreaterThanOrEqual(report.findings.length)
  expect(report.findings.length).toBeLessThanOrEqual(MAX_NAMED)
  expect(report.summary.length).toBeLessThanOrEqual(100)
  for (const { title, detail } of report.findings) {
    expect(title.length).toBeLessThanOrEqual(300)
    expect(title).not.toContain('\n')
    expect(detail.split('\n').length).toBeLessThanOrEqual(13)
  }
}

test.each(outputs)('$name shows a sign of its tool, and no other test tool claims failures in it', ({ tool, text }) => {
  // eslint-disable-next-line no-control-regex
  const plain = text.replace(/\x1b\[[\d;]*m/g, '')
  for (const other of tools) {
    const report = scanText(other, text)
    if (other.name === tool) {
      expect(report).not.toBeNull()
      if (report !== null && report.failures > 0) expect(other.signs.some((sign) => plain.includes(sign))).toBe(true)
    } else expect(`${other.name}: ${report?.failures ?? 0}`).toBe(`${other.name}: 0`)
    expectSane(report)
  }
})

describe.each(tools)('$name', (tool) => {
  const own = outputs.filter((output) => output.tool === tool.name)

  test('has the same report however the output is cut into pieces', () => {
    for (const { text } of own) {
      // A document beside text is judged by the piece in which it ends.
      const whole = scanText(tool, text)
      for (const size of [997, 10_000]) expect(scanText(tool, text, size)).toEqual(whole)
    }
  })

  test('never throws and never breaks a bound on cut, mixed or strange output', () => {
    const piece = fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...own.map(({ text }) => text)) },
      fc.constantFrom(...outputs.map(({ text }) => text)),
    )
    const cut = fc.tuple(piece, fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }))
    const garbage = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('⎯⎯⎯', '{"', '<testsuite', '  1) ', '● ', '✖ ', '\n'),
    )
    fc.assert(
      fc.property(
        fc.array(fc.oneof(cut, garbage), { maxLength: 6 }),
        fc.integer({ min: 50, max: 5000 }),
        (parts, size) => {
          const text = parts
            .map((part) => {
              if (typeof part === 'string') return part
              const [from, to] = [part[1], part[2]].toSorted((one, other) => one - other)
              return part[0].slice((from ?? 0) * part[0].length, (to ?? 1) * part[0].length)
            })
            .join('')
          expectSane(scanText(tool, text, size))
        },
      ),
      { numRuns: 150 },
    )
  })

  test('takes no longer for a line of any length or a long run of one sign than for others', () => {
    const lines = [
      ' ',
      '>',
      '|',
      ':',
      '(',
      '⎯',
      '─',
      '"',
      '{',
      '[',
      '<',
      '&',
      '\\',
      '#',
      ' # ',
      'at ',
      '1:',
      '● ',
      ' > ',
      ' › ',
    ]
    for (const sign of lines) {
      const long = sign.repeat(2000)
      const text = `  1) a › ${long}\n FAIL  ${long}\n✖ ${long}\nnot ok 1 ${long}\n  ● ${long}\n${long}\n${long}x\n`
      expectSane(scanText(tool, `${own[0]?.text ?? ''}\n${text.repeat(20)}${own[0]?.text ?? ''}`))
    }
  })
})
