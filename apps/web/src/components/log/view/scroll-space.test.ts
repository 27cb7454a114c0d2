import { describe, expect, test } from 'vitest'
import { isScaled, lastTop, MOST_PX, ROW_PX, scrollOf, spacerPx, topOf, visibleRows } from './scroll-space.ts'

const small = { rows: 100_000, viewPx: 600 }
const large = { rows: 1_000_000, viewPx: 600 }

describe('up to 8 million pixels', () => {
  test('a pixel is a pixel', () => {
    expect(isScaled(small)).toBe(false)
    expect(topOf(small, 12_345)).toBe(12_345)
    expect(scrollOf(small, 12_345)).toBe(12_345)
    expect(spacerPx(small)).toBe(100_000 * ROW_PX)
  })
})

describe('beyond that', () => {
  test('the thumb is a proportion and both ends are reached exactly', () => {
    expect(isScaled(large)).toBe(true)
    expect(spacerPx(large)).toBe(MOST_PX)
    expect(topOf(large, 0)).toBe(0)
    expect(topOf(large, MOST_PX - 600)).toBe(lastTop(large))
    expect(visibleRows(large, lastTop(large)).last).toBe(1_000_000)
  })
  test('every position of the log has its position of the thumb', () => {
    for (const top of [0, 1, 20, 123_456, 10_000_000, lastTop(large)]) {
      expect(topOf(large, scrollOf(large, top))).toBeCloseTo(top, 3)
    }
  })
})

test('a log that is shorter than the view does not scroll', () => {
  const tiny = { rows: 3, viewPx: 600 }
  expect(lastTop(tiny)).toBe(0)
  expect(topOf(tiny, 50)).toBe(0)
  expect(visibleRows(tiny, 0)).toEqual({ first: 0, last: 3 })
})

test('partly visible rows count as visible', () => {
  expect(visibleRows({ rows: 1000, viewPx: 100 }, 30)).toEqual({ first: 1, last: 7 })
})
