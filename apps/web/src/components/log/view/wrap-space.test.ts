import { expect, test } from 'vitest'
import { ROW_PX } from './scroll-space.ts'
import { endTop, lastFrom, moved, placeOf, topOfPlace } from './wrap-space.ts'

/** Every tenth line takes three rows. */
const heightOf = (line: number) => (line % 10 === 0 ? 3 : 1) * ROW_PX
const total = (rows: number) => Array.from({ length: rows }, (_, line) => heightOf(line)).reduce((a, b) => a + b, 0)

test('a position is a line and a part of it, there and back', () => {
  for (const top of [0, 10, ROW_PX, 205, 12_345]) {
    expect(topOfPlace(placeOf(top, heightOf), heightOf)).toBeCloseTo(top, 6)
  }
  expect(placeOf(10.5 * ROW_PX, heightOf)).toEqual({ line: 10, px: 1.5 * ROW_PX })
})

test('moving goes through the real heights, and back to its start', () => {
  const start = { line: 8, px: 0 }
  const down = moved(start, 4 * ROW_PX, 1000, heightOf)
  expect(down).toEqual({ line: 10, px: 2 * ROW_PX })
  expect(moved(down, -4 * ROW_PX, 1000, heightOf)).toEqual(start)
})

test('moving stops at both ends', () => {
  expect(moved({ line: 3, px: 5 }, -10_000, 1000, heightOf)).toEqual({ line: 0, px: 0 })
  expect(moved({ line: 990, px: 0 }, 1_000_000, 1000, heightOf)).toEqual({ line: 999, px: ROW_PX })
})

test('at the end the last line touches the lower edge', () => {
  const top = endTop(1000, 600, heightOf)
  const place = placeOf(top, heightOf)
  const below = total(1000) - total(place.line) - place.px
  expect(below).toBeCloseTo(600, 6)
  expect(lastFrom(place, 600, 1000, heightOf)).toBe(1000)
})

test('a log that fits has its end at its beginning, and an empty one too', () => {
  expect(endTop(3, 600, heightOf)).toBe(0)
  expect(endTop(0, 600, heightOf)).toBe(0)
  expect(lastFrom({ line: 0, px: 0 }, 600, 3, heightOf)).toBe(3)
})

test('a line that is higher than the view is scrolled inside', () => {
  const huge = () => 100 * ROW_PX
  const top = endTop(1, 600, huge)
  expect(placeOf(top, huge)).toEqual({ line: 0, px: expect.closeTo(100 * ROW_PX - 600, 6) })
})
