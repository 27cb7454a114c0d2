import { expect, test } from 'vitest'
import { RecentBytes } from './recent-bytes.ts'

const begun = (limit: number) => {
  const recent = new RecentBytes(limit, 1000)
  expect(recent.between(1000, 1001)).toBeNull()
  return recent
}
const push = (recent: RecentBytes, ...pieces: string[]) => pieces.forEach((piece) => recent.push(Buffer.from(piece)))
const text = (recent: RecentBytes, from: number, to: number) => recent.between(from, to)?.toString() ?? null

test('the latest bytes are found by their place in the file', () => {
  const recent = begun(100)
  push(recent, 'abc', 'defg', 'h')
  expect(text(recent, 1000, 1008)).toBe('abcdefgh')
  expect(text(recent, 1002, 1004)).toBe('cd')
  expect(text(recent, 1003, 1007)).toBe('defg')
})

test('older, newer and empty ranges are not', () => {
  const recent = begun(6)
  push(recent, 'abc', 'defg', 'h')
  expect(text(recent, 1002, 1008)).toBe('cdefgh')
  expect(text(recent, 1001, 1008)).toBeNull()
  expect(text(recent, 1003, 1009)).toBeNull()
  expect(text(recent, 1005, 1005)).toBeNull()
})

test('wherever pieces are cut, and however long they are, the bytes are those of the file', () => {
  const recent = begun(16)
  let file = '.'.repeat(1000)
  for (const length of [1, 7, 16, 5, 40, 3, 15, 2, 31, 16, 9]) {
    const piece = Array.from({ length }, (_, n) => String.fromCharCode(97 + ((file.length + n) % 26))).join('')
    push(recent, piece)
    file += piece
    const oldest = Math.max(1000, file.length - 16)
    for (let from = oldest; from < file.length; from++)
      for (let to = from + 1; to <= file.length; to++) expect(text(recent, from, to)).toBe(file.slice(from, to))
    if (oldest > 1000) expect(text(recent, oldest - 1, file.length)).toBeNull()
  }
})

test('bytes that were handed out do not change with later ones', () => {
  const recent = begun(4)
  push(recent, 'abcd')
  const given = recent.between(1000, 1004)
  push(recent, 'wxyz')
  expect(given?.toString()).toBe('abcd')
})

test('bytes from before the first request are not kept', () => {
  const recent = new RecentBytes(100, 1000)
  push(recent, 'abc')
  expect(text(recent, 1000, 1003)).toBeNull()
  push(recent, 'def')
  expect(text(recent, 1003, 1006)).toBe('def')
  expect(text(recent, 1002, 1006)).toBeNull()
})
