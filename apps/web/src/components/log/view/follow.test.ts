import { expect, test } from 'vitest'
import { nextFollow, unseenLines } from './follow.ts'
import type { Follow } from './follow.ts'

const following: Follow = { is: 'following' }

test('moving up pauses, and counts later lines', () => {
  const paused = nextFollow(following, { type: 'moved', up: true, atEnd: false }, 100)
  expect(paused).toEqual({ is: 'paused', seen: 100 })
  expect(unseenLines(paused, 314)).toBe(214)
})
test('moving up again does not forget the missed lines', () => {
  const paused: Follow = { is: 'paused', seen: 100 }
  expect(nextFollow(paused, { type: 'moved', up: true, atEnd: false }, 200)).toBe(paused)
})
test("reaching the last line by one's own scrolling follows again", () => {
  expect(nextFollow({ is: 'paused', seen: 1 }, { type: 'moved', up: false, atEnd: true }, 9)).toEqual(following)
})
test('moving down without reaching the end stays paused', () => {
  const paused: Follow = { is: 'paused', seen: 1 }
  expect(nextFollow(paused, { type: 'moved', up: false, atEnd: false }, 9)).toBe(paused)
})
test('a selection, a permalink or a hit holds the view still', () => {
  expect(nextFollow(following, { type: 'held' }, 7)).toEqual({ is: 'paused', seen: 7 })
})
test('End, G and the pill follow', () => {
  expect(nextFollow({ is: 'paused', seen: 1 }, { type: 'to-end' }, 9)).toEqual(following)
  expect(unseenLines(following, 9)).toBe(0)
})
test('a wheel up in a log that fits into the view pauses nothing', () => {
  expect(nextFollow(following, { type: 'moved', up: true, atEnd: true }, 3)).toBe(following)
})
