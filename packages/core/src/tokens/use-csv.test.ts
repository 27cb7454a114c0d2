import fc from 'fast-check'
import { expect, test } from 'vitest'
import { useRow as row } from '../testing/sample-use.ts'
import { csvHead, csvLine, textCell } from './use-csv.ts'

test('a row is a line with as many cells as the head, and an unknown value is empty', () => {
  expect(csvHead.trimEnd().split(',')).toHaveLength(16)
  const known = { calls: 3, estimated: 0, input: 1200, cached: 900, output: 80, reasoning: 7, costMicros: 26_250 }
  expect(csvLine(row({ ...known, phase: 2, agent: 'docs-agent' }), 'USD')).toBe(
    '2026-11-23,a-1,work,2,codex,docs-agent,gpt-5,3,0,1200,900,80,7,0.026250,USD,0\r\n',
  )
  expect(csvLine(row({ input: 50, output: 5, unpriced: 55, preset: null }), 'USD')).toBe(
    '2026-11-23,a-1,work,,,,gpt-5,,,50,,5,,,,55\r\n',
  )
  // If the endpoint says none, it is 0.
  expect(csvLine(row({ calls: 1, input: 50, output: 5, cached: 0, reasoning: 0, unpriced: 55 }), 'USD')).toBe(
    '2026-11-23,a-1,work,,codex,,gpt-5,1,0,50,0,5,0,,,55\r\n',
  )
})

test.each([
  ['=1+1', "'=1+1"],
  ['+cmd', "'+cmd"],
  ['-2', "'-2"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'=1"],
  ['  =1', "'=1"],
  ['\uff1d1', "'\uff1d1"],
  ['\u200b=1', '\ufffd=1'],
  ['a;=1', '"a;\'=1"'],
  ['a, @b', '"a,\' @b"'],
  ['a\n=b', '"a =b"'],
  ['"=1', '"""=1"'],
  ['\u001b[31mred', '[31mred'],
  ['gpt-5', 'gpt-5'],
  ['', ''],
])('%j is no formula in a spreadsheet', (text, cell) => {
  expect(textCell(text)).toBe(cell)
})

test('any name is one cell on one line that does not begin like a formula', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: fc.constantFrom(...'=+-@,;|"\t\r\n a') })),
      (name) => {
        const cell = textCell(name)
        const text = cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell
        for (const part of text.split(/[,;|]/)) expect(part.trimStart()).not.toMatch(/^[=+\-@]/)
        expect(cell).not.toMatch(/[\p{Cc}\u2028\u2029]/u)
        if (!cell.startsWith('"')) expect(cell).not.toMatch(/[",;]/)
        else expect(cell.slice(1, -1).replaceAll('""', '')).not.toContain('"')
      },
    ),
  )
})
