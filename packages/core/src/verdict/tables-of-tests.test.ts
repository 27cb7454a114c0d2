import { describe, expect, test } from 'vitest'
import { changedTables, originalFiles } from './original-tests.ts'
import { isTable, tablesOfTests } from './tables-of-tests.ts'

const rows = 'export const rows = [\n  [1, 2, 3],\n  [2, 2, 4],\n]\n'
const sums = { path: 'src/sum.js', text: 'export const sum = (a, b) => a + b\n' }
const ofSums = {
  path: 'sum.test.js',
  text: "import { sum } from './src/sum.js'\nimport { rows } from './src/rows.js'\n",
}

describe('a file of rows is one of the tests', () => {
  test.each([
    ['in JavaScript', { path: 'src/rows.js', text: rows }, ofSums, sums],
    [
      'in Python',
      { path: 'rows.py', text: 'ROWS = [\n    ([1, 2], 3),\n    ([2, 2], 4),\n]\n' },
      { path: 'sum_test.py', text: 'from rows import ROWS\nfrom sums import add\n' },
      { path: 'sums.py', text: 'def add(a, b):\n    return a + b\n' },
    ],
    [
      'in Go, by what it declares',
      { path: 'cases.go', text: 'package sum\n\nvar sumCases = []struct{ a, b int }{\n\t{1, 2},\n\t{2, 4},\n}\n' },
      { path: 'sum_test.go', text: 'for _, tc := range sumCases {' },
      { path: 'sum.go', text: 'func Sum(a int) int {\n' },
    ],
    [
      'as data',
      { path: 'data/rows.csv', text: '1,2\n2,4\n' },
      { path: 'sum_test.py', text: 'open("data/rows.csv")\nimport sums\n' },
      { path: 'sums.py', text: 'def add(a, b):\n' },
    ],
  ])('%s', (_, table, own, code) => {
    expect(tablesOfTests({ changed: [table], tests: [own], code: [code, table] })).toEqual([table.path])
  })

  test.each([
    ['which code names, too', { code: [{ path: 'src/tax.js', text: "import { rows } from './rows.js'" }, sums] }],
    ['which the test is about', { tests: [{ ...ofSums, text: "import { rows } from './src/rows.js'" }] }],
    ['which no test names', { tests: [{ ...ofSums, text: "import { sum } from './src/sum.js'" }] }],
    [
      'that does something',
      { changed: [{ path: 'src/rows.js', text: `${rows}export const first = () => rows[0]\n` }] },
    ],
  ])('but not one %s', (_, other) => {
    const table = { path: 'src/rows.js', text: rows }
    expect(tablesOfTests({ changed: [table], tests: [ofSums], code: [sums, table], ...other })).toEqual([])
  })

  test('and words within the rows do nothing', () => {
    expect(isTable('const rows = [\n  ["if a return b", 2],\n  ["for", 4],\n]\n')).toBe(true)
    expect(isTable('const rows = []\n')).toBe(false)
  })
})

test('a changed table is brought back with the tests', () => {
  const all = [
    { path: 'src/rows.js', status: 'M' },
    { path: 'package.json', status: 'M' },
    { path: 'sum.test.js', status: 'M' },
    { path: 'src/new.js', status: 'A' },
  ]
  expect(changedTables(all)).toEqual(['src/rows.js'])
  expect(originalFiles(all.slice(0, 2), { tables: ['src/rows.js'] })).toEqual({
    paths: ['src/rows.js'],
    without: [],
    chosen: null,
  })
})
