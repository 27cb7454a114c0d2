import { expect, test } from 'vitest'
import { lasted, lastedBy } from './lasted.ts'

const HOUR = 3_600_000

test('a measured duration counts, whatever the wall clock has done', () => {
  expect(lasted({ startedAt: 2 * HOUR, endedAt: HOUR, tookMs: 77_000 })).toBe(77_000)
  expect(lasted({ startedAt: HOUR, endedAt: 3 * HOUR, tookMs: 77_000 })).toBe(77_000)
})

test('without a measurement it is the difference of the times, and never negative', () => {
  expect(lasted({ startedAt: 1_000, endedAt: 4_000 })).toBe(3_000)
  expect(lasted({ startedAt: 4_000, endedAt: 1_000 })).toBe(0)
})

test('an unfinished thing has not taken any time yet', () => {
  expect(lasted({ startedAt: 1_000, endedAt: null })).toBeNull()
  expect(lasted({ startedAt: null, endedAt: 1_000 })).toBeNull()
  expect(lastedBy({ startedAt: 1_000, endedAt: null }, 3_000)).toBe(2_000)
  expect(lastedBy({ startedAt: 5_000, endedAt: null }, 3_000)).toBe(0)
  expect(lastedBy({ startedAt: null, endedAt: null }, 3_000)).toBeNull()
})
