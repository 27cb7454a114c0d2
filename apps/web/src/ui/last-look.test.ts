import { expect, test } from 'vitest'
import { AWAY_MS, lookedAgain } from './last-look.ts'

const MINUTE = 60_000

test('a newcomer has nothing to catch up with', () => {
  expect(lookedAgain(null, 5)).toEqual({ before: null, last: 5, told: false })
})

test('looks in quick succession are one visit, and keep when the one before it ended', () => {
  const visit = lookedAgain({ before: 3, last: 100 * MINUTE, told: true }, 101 * MINUTE)
  expect(visit).toEqual({ before: 3, last: 101 * MINUTE, told: true })
})

test('a look after a night begins a visit, and the former ended with its last look', () => {
  const evening = 100 * MINUTE
  expect(lookedAgain({ before: 3, last: evening, told: true }, evening + AWAY_MS)).toEqual({
    before: evening,
    last: evening + AWAY_MS,
    told: false,
  })
})

test('a clock that goes back ends no visit', () => {
  expect(lookedAgain({ before: null, last: 100, told: false }, 50)).toEqual({ before: null, last: 100, told: false })
})
