import { expect, test } from 'vitest'
import { headAt, kindAt, rawAt, tapeOf } from './json-tape.ts'

test('each value has a place, and the place after it is known', () => {
  const tape = tapeOf(' { "a" : [1, {"b":"x\\"]"}, []], "c":true , "d":-1.5e3 } ')
  expect(tape.start.map((_, place) => rawAt(tape, place))).toEqual([
    '{ "a" : [1, {"b":"x\\"]"}, []], "c":true , "d":-1.5e3 }',
    '"a"', '[1, {"b":"x\\"]"}, []]', '1', '{"b":"x\\"]"}', '"b"', '"x\\"]"', '[]',
    '"c"', 'true', '"d"', '-1.5e3',
  ]) // prettier-ignore
  expect(tape.next).toEqual([12, 2, 8, 4, 7, 6, 7, 8, 9, 10, 11, 12])
  expect([0, 1, 2, 3].map((place) => kindAt(tape, place))).toEqual(['object', 'text', 'list', 'other'])
})

test('the beginning of a text is read as intended', () => {
  expect(headAt(tapeOf('"\\u0068ttp:\\/\\/x"'), 0)).toBe('http://x')
  expect(headAt(tapeOf(JSON.stringify('a'.repeat(2000))), 0)).toHaveLength(512)
  for (let shift = 0; shift < 8; shift += 1)
    expect(headAt(tapeOf(`"${'a'.repeat(shift)}${'\\u0061'.repeat(500)}"`), 0)).toMatch(/^a{80,}$/)
  for (let shift = 0; shift < 3; shift += 1)
    expect(headAt(tapeOf(`"${'a'.repeat(shift)}${'\\\\'.repeat(500)}"`), 0)).toMatch(/^a*\\+$/)
})

test('depth is no trouble', () => {
  const depth = 200_000
  const tape = tapeOf('['.repeat(depth) + ']'.repeat(depth))
  expect(tape.next[0]).toBe(depth)
  expect(tape.end[0]).toBe(2 * depth)
})
