import { expect, test } from 'vitest'
import { LogChoice } from './log-choice.ts'
import { around, LineMap } from '../folds/line-map.ts'
import { LogShape } from '../folds/log-shape.ts'
import { LogLooks } from '../view/log-looks.ts'

/** A log of 100 lines in which a filter shows only these. */
function filtered(...shown: number[]): LogChoice {
  const marks = { timeOf: () => null, isStderr: () => false }
  const source = { lines: 100, partial: null, version: 0, marks, line: String, styleOf: () => null, want: () => {} }
  const shape = new LogShape(source)
  shape.filter = new LineMap(around(shown.length, (at) => shown[at] ?? 0, 0, source.lines))
  const nothing = () => {}
  return new LogChoice(source, shape, new LogLooks(shape, marks), { hold: nothing, chosen: nothing, refresh: nothing })
}

test('the end of a selection skips hidden lines', () => {
  const choice = filtered(10, 50, 60)
  expect([1, 1, -1].map((by) => choice.extend(by, 10))).toEqual([50, 60, 50])
})

test('below the last visible line it moves on by lines, and never back', () => {
  const choice = filtered(10, 50)
  expect([1, 1, 1].map((by) => choice.extend(by, 50))).toEqual([51, 52, 53])
})

test('above the first visible line it moves on by lines, and never back', () => {
  const choice = filtered(10, 50)
  expect([-1, -1, -1].map((by) => choice.extend(by, 10))).toEqual([9, 8, 7])
})

test('a first press selects the line itself', () => {
  const choice = filtered(10)
  expect(choice.extend(0, 12)).toBe(12)
  expect(choice.lines).toEqual({ first: 12, last: 12 })
})
