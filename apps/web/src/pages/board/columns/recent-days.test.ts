import { sampleCard } from '@beadloom/core/testing/sample-views.ts'
import { expect, test } from 'vitest'
import { AT_LEAST, recentDays } from './recent-days.ts'
import type { BoardCard } from '@beadloom/core/board/board-card.ts'

const noon = (daysAgo: number) => new Date(2026, 4, 20 - daysAgo, 12).getTime()
const done = (daysAgo: number, count: number): BoardCard[] =>
  Array.from({ length: count }, (_, n) => ({
    card: sampleCard({ id: `d${daysAgo}-${n}`, updatedAt: noon(daysAgo) - n }),
    execution: null,
    lane: 'completed',
    position: null,
  }))
const midnight = (daysAgo: number) => new Date(2026, 4, 20 - daysAgo).getTime()

test('few completed beads are all there, however old', () => {
  expect(recentDays([...done(0, 1), ...done(9, 5)], 0)).toMatchObject({ shown: { length: 6 }, older: null })
})

test('the newest day is whole, and the next one is offered with its count', () => {
  const cards = [...done(0, 30), ...done(1, 7), ...done(3, 4)]
  expect(recentDays(cards, 0)).toMatchObject({ shown: { length: 30 }, older: { start: midnight(1), count: 7 } })
})

test('each press brings one day more', () => {
  const cards = [...done(0, 30), ...done(1, 7), ...done(3, 4)]
  expect(recentDays(cards, 1)).toMatchObject({ shown: { length: 37 }, older: { start: midnight(3), count: 4 } })
  expect(recentDays(cards, 2)).toMatchObject({ shown: { length: 41 }, older: null })
})

test('a quiet day is filled up with whole days before it', () => {
  const cards = [...done(0, 2), ...done(2, AT_LEAST), ...done(5, 1)]
  expect(recentDays(cards, 0)).toMatchObject({ shown: { length: 2 + AT_LEAST }, older: { count: 1 } })
})
