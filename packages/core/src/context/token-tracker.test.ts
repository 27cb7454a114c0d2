import { expect, test } from 'vitest'
import { recommendationAt, TokenTracker } from './token-tracker.ts'

test('adding tokens increases the use and leaves less', () => {
  const tracker = new TokenTracker(1000)
  tracker.add(100)
  tracker.add(150)
  expect(tracker).toMatchObject({ budget: 1000, used: 250, remaining: 750, usagePercent: 25 })
})

test('a threshold counts when it is reached, not only when it is passed', () => {
  const tracker = new TokenTracker(1000)
  tracker.add(699)
  expect(tracker.isAboveThreshold()).toBe(false)
  tracker.add(1)
  expect(tracker.isAboveThreshold()).toBe(true)
  expect(tracker.isAboveThreshold(70.1)).toBe(false)
})

test.each([
  [0, 'continue'],
  [49.9, 'continue'],
  [50, 'summarize'],
  [69.9, 'summarize'],
  [70, 'spawn_subagent'],
  [89.9, 'spawn_subagent'],
  [90, 'complete_now'],
  [250, 'complete_now'],
])('at %d percent the advice is %s', (percent, advice) => {
  expect(recommendationAt(percent)).toBe(advice)
  const tracker = new TokenTracker(1000)
  tracker.add(percent * 10)
  expect(tracker.getRecommendation()).toBe(advice)
})

test('a missing budget, or one without an end, is never used up', () => {
  for (const budget of [0, -5, Infinity]) {
    const tracker = new TokenTracker(budget)
    tracker.add(10_000)
    expect(tracker).toMatchObject({ usagePercent: 0, used: 10_000 })
    expect(tracker.getRecommendation()).toBe('continue')
  }
})

test('concurrent additions are all kept, in the parts and in the whole', async () => {
  const whole = new TokenTracker(1_000_000)
  const parts = Array.from({ length: 8 }, () => whole.part())
  const addOften = async (tracker: TokenTracker) => {
    for (let count = 0; count < 1000; count++) {
      await Promise.resolve()
      tracker.add(3)
    }
  }
  await Promise.all([...parts, whole].map(addOften))
  expect(parts.map(({ used }) => used)).toEqual(Array<number>(8).fill(3000))
  expect(whole.used).toBe(27_000)
})

test('a part never has more than the rest of the whole, even while others use it', () => {
  const whole = new TokenTracker(1000)
  whole.add(400)
  const part = whole.part()
  expect(part.budget).toBe(600)
  expect(whole.part(100).budget).toBe(100)
  whole.add(500)
  expect(part.remaining).toBe(100)
  part.add(150)
  expect([whole.used, whole.remaining, part.remaining]).toEqual([1050, -50, -50])
  expect(whole.part().budget).toBe(0)
})
