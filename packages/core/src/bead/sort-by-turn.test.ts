// @suite unit-long

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { END_OF_TIME, sortByTurn, type Turn } from './sort-by-turn.ts'

type Item = { priority: number; at: number; name: string }

const turn: Turn<Item> = {
  priority: ({ priority }) => priority,
  time: ({ at }) => at,
  tie: (a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0),
}
const compared = (items: Item[]) =>
  items.toSorted((a, b) => a.priority - b.priority || a.at - b.at || turn.tie(a, b)).map(textOf)
const textOf = ({ priority, at, name }: Item) => `${priority} ${at} ${name}`

const item = (priority: fc.Arbitrary<number>, at: fc.Arbitrary<number>) =>
  fc.record({ priority, at, name: fc.string({ maxLength: 3 }) })
const usual = item(
  fc.integer({ min: 0, max: 7 }),
  fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: END_OF_TIME - 1 }), fc.constant(END_OF_TIME - 1)),
)
const odd = item(fc.oneof(fc.integer(), fc.double({ noNaN: true })), fc.double({ noNaN: true }))

test('it sorts like a comparator by priority, then time, then the tie', () => {
  fc.assert(
    fc.property(fc.array(usual), (items) => {
      expect(sortByTurn(items, turn).map(textOf)).toEqual(compared(items))
    }),
  )
})

test('it sorts items that fit no key just as well', () => {
  const mixed = fc.array(fc.oneof(usual, odd))
  fc.assert(
    fc.property(mixed, (items) => {
      expect(sortByTurn(items, turn).map(textOf)).toEqual(compared(items))
    }),
  )
})

test('it leaves its argument unchanged', () => {
  const items = [5, 3, 4].map((at) => ({ priority: 1, at, name: 'x' }))
  const before = items.map(textOf)
  expect(sortByTurn(items, turn).map(({ at }) => at)).toEqual([3, 4, 5])
  expect(items.map(textOf)).toEqual(before)
})

test('a whole import that shares one moment is sorted by the tie', () => {
  const items = Array.from({ length: 150_000 }, (_, at) => ({
    priority: 2,
    at: 7,
    name: String((at * 7919) % 150_000),
  }))
  expect(sortByTurn(items, turn).map(textOf)).toEqual(compared(items))
})

test('more items than a key can number are sorted too', () => {
  const items = Array.from({ length: 2 ** 19 + 1 }, (_, at) => ({ priority: at % 5, at: (at * 7919) % 1000, name: '' }))
  const sorted = sortByTurn(items, turn)
  expect(sorted.length).toBe(items.length)
  expect(
    sorted.findIndex(
      (one, at) => at > 0 && sorted[at - 1]!.priority * 1000 + sorted[at - 1]!.at > one.priority * 1000 + one.at,
    ),
  ).toBe(-1)
})
