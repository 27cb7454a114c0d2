import { describe, expect, test } from 'vitest'
import { readCount } from './count-sessions.ts'
import { hitsElsewhere, sessionWithHits } from './session-hits.ts'

const order = ['a', 'b', 'c', 'd']
const counts = new Map([
  ['a', 2],
  ['b', 0],
  ['d', 5],
  ['gone', 9],
])

describe('the next session with hits', () => {
  test.each([
    ['a', 1, 'd'],
    ['a', -1, 'd'],
    ['b', 1, 'd'],
    ['b', -1, 'a'],
    ['d', 1, 'a'],
    ['d', -1, 'a'],
  ] as const)('from %s by %d is %s, wrapping around the ends', (here, by, next) => {
    expect(sessionWithHits(order, here, counts, by)).toBe(next)
  })

  test('does not exist if no other has any, or nobody knows where one is', () => {
    expect(sessionWithHits(order, 'a', new Map([['a', 2]]), 1)).toBeNull()
    expect(sessionWithHits(order, 'nowhere', counts, 1)).toBeNull()
    expect(sessionWithHits(['a'], 'a', counts, -1)).toBeNull()
  })
})

test('hits elsewhere are those of the sessions that can be opened, without this one', () => {
  expect(hitsElsewhere(order, 'a', counts)).toEqual({ hits: 5, sessions: 1 })
  expect(hitsElsewhere(order, 'b', counts)).toEqual({ hits: 7, sessions: 2 })
})

test('the server reports one session a line, and then that it is done, or why not', () => {
  expect(readCount('{"session":"s","hits":3,"more":false}')).toEqual({ session: 's', hits: 3 })
  expect(readCount('{"done":true}')).toEqual({ done: true })
  expect(readCount('{"error":{"code":"search_stopped","message":"Simplify it."}}')).toEqual({ error: 'Simplify it.' })
  expect(readCount('{"error":null}')).toEqual({ error: 'The search failed.' })
  expect(readCount('')).toBeNull()
  expect(readCount('{"new":1}')).toBeNull()
})
