import { expect, test } from 'vitest'
import { allLines, around, LineMap, without } from './line-map.ts'

/** Every line of a log that a map shows, by walking its rows. */
const shown = (map: LineMap, lines: number) => Array.from({ length: map.rows(lines) }, (_, row) => map.lineOf(row))

test('without hidden lines, rows are lines, even of a growing log', () => {
  expect(shown(allLines, 4)).toEqual([0, 1, 2, 3])
  expect(allLines.rows(0)).toBe(0)
  expect(allLines.rows(1_000_000)).toBe(1_000_000)
  expect([0, 7, 999_999].map((line) => allLines.rowOf(line))).toEqual([0, 7, 999_999])
})

test('hidden ranges leave no holes among the rows, and every row knows its line', () => {
  const map = new LineMap(
    without([
      { first: 2, end: 5 },
      { first: 3, end: 4 },
      { first: 7, end: 8 },
    ]),
  )
  expect(shown(map, 10)).toEqual([0, 1, 5, 6, 8, 9])
  for (const line of shown(map, 10)) expect(map.lineOf(map.rowOf(line))).toBe(line)
  expect([2, 4, 7].map((line) => map.lineOf(map.rowOf(line)))).toEqual([1, 1, 6])
  expect([1, 2, 4, 5, 7, 400].map((line) => map.shows(line))).toEqual([true, false, false, true, false, true])
  expect(map.rows(4)).toBe(2)
})

test('a filter shows matches with lines around them, each once, and marks where it leaves lines out', () => {
  const matches = [3, 5, 20]
  const map = new LineMap(
    around(matches.length, (at) => matches[at] ?? 0, 1, 100),
    true,
  )
  expect(shown(map, 100)).toEqual([2, 3, 4, 5, 6, 19, 20, 21])
  expect(shown(map, 100).filter((line) => map.isAfterGap(line))).toEqual([19])
  expect(shown(map, 20)).toEqual([2, 3, 4, 5, 6, 19])
})

test('a filter that matches nothing has no rows', () => {
  const map = new LineMap([])
  expect(map.rows(100)).toBe(0)
  expect(map.shows(3)).toBe(false)
})
