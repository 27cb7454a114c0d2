import { expect, test } from 'vitest'
import { extended, linesOf, linesText } from './line-selection.ts'

test('a selection begins at the current line, and its head moves up and down past its anchor', () => {
  const begun = extended(null, 0, 7, 100)
  expect(linesOf(begun)).toEqual({ first: 7, last: 7 })
  const down = extended(begun, 2, 0, 100)
  expect(linesOf(down)).toEqual({ first: 7, last: 9 })
  expect(linesOf(extended(down, -5, 0, 100))).toEqual({ first: 4, last: 7 })
})
test('it ends where the log ends', () => {
  expect(linesOf(extended({ anchor: 3, head: 3 }, -10, 0, 5))).toEqual({ first: 0, last: 3 })
  expect(linesOf(extended({ anchor: 3, head: 3 }, 10, 0, 5))).toEqual({ first: 3, last: 4 })
})
test('lines are named as in the gutter', () => {
  expect(linesText({ first: 0, last: 0 })).toBe('1')
  expect(linesText({ first: 9, last: 19 })).toBe('10–20')
})
