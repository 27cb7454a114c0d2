import fc from 'fast-check'
import { expect, test } from 'vitest'
import { noUse } from './sum-use.ts'
import { queueForecast, spreadOf, usualUse, type BeadUse } from './usual-use.ts'

let number = 0
const done = (type: string, input: number, costMicros: number | null = null, unpriced = 0): BeadUse => ({
  bead: `a-${++number}`,
  type,
  at: 0,
  use: { ...noUse, input, costMicros, unpriced },
})

test('the usual use is the median and the 90th percentile; without data it is unknown', () => {
  expect(spreadOf([])).toBeNull()
  expect(spreadOf([7])).toEqual({ median: 7, p90: 7, of: 1 })
  expect(spreadOf([10, 1])).toEqual({ median: 6, p90: 10, of: 2 })
  expect(spreadOf([5, 1, 100])).toEqual({ median: 5, p90: 100, of: 3 })
  expect(spreadOf(Array.from({ length: 100 }, (_, n) => 100 - n))).toEqual({ median: 51, p90: 90, of: 100 })
})

test('at most one in ten is above the 90th percentile, and at least one in ten is there or above', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(), { minLength: 1 }), (values) => {
      const { median, p90 } = spreadOf(values)!
      expect(values.filter((value) => value > p90).length).toBeLessThanOrEqual(values.length / 10)
      expect(values.filter((value) => value >= p90).length).toBeGreaterThanOrEqual(values.length / 10)
      expect(median).toBeLessThanOrEqual(p90)
    }),
  )
})

test('a bead with tokens without a price says nothing about money', () => {
  expect(usualUse([done('task', 10, 5), done('task', 30, 100, 2), done('task', 20)])).toEqual({
    tokens: { median: 20, p90: 30, of: 3 },
    costMicros: { median: 5, p90: 5, of: 1 },
  })
})

test('a forecast for waiting beads uses beads of the same type and reviews, and says how many', () => {
  const completed = [done('task', 10, 1), done('task', 20, 3), done('bug', 500, 50)]
  const waiting = [
    { kind: 'work', type: 'task', count: 2 },
    { kind: 'work', type: 'epic', count: 1 },
    { kind: 'review', type: 'task', count: 1 },
    { kind: 'plan', type: 'epic', count: 3 },
  ]
  const reviewed = [7, 9].map((input) => ({ ...noUse, input, unpriced: input }))
  expect(queueForecast(waiting, completed, reviewed)).toEqual({
    beads: 6,
    reviews: { count: 1, usual: { tokens: { median: 8, p90: 9, of: 2 }, costMicros: null } },
    types: [
      { type: 'epic', beads: 4, usual: { tokens: null, costMicros: null } },
      {
        type: 'task',
        beads: 2,
        usual: { tokens: { median: 15, p90: 20, of: 2 }, costMicros: { median: 2, p90: 3, of: 2 } },
      },
    ],
    tokens: { median: 38, p90: 49, known: 3 },
    costMicros: { median: 4, p90: 6, known: 2 },
  })
})

test('nothing is forecast from nothing, and an empty queue costs nothing that is known', () => {
  const waiting = [{ kind: 'work', type: 'task', count: 1 }]
  expect(queueForecast(waiting, [], [])).toMatchObject({ beads: 1, tokens: null, costMicros: null })
  expect(queueForecast([], [done('task', 1)], [])).toEqual({
    beads: 0,
    reviews: { count: 0, usual: { tokens: null, costMicros: null } },
    types: [],
    tokens: null,
    costMicros: null,
  })
})

test('a tracker with a type for each bead makes no endless answer, and the sum counts every bead', () => {
  const types = Array.from({ length: 500 }, (_, n) => `type-${n}`)
  const found = queueForecast(
    types.map((type) => ({ kind: 'work', type, count: 1 })),
    types.map((type) => done(type, 2)),
    [],
  )
  expect(found.types).toHaveLength(20)
  expect(found.tokens).toEqual({ median: 1000, p90: 1000, known: 500 })
})
