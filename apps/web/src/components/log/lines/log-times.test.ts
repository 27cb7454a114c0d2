import { expect, test } from 'vitest'
import { exactTimeText, secondText } from './log-times.ts'

const at = Date.UTC(2026, 10, 22, 23, 4, 5, 42)

test("a line's time shows seconds, and the full time on request", () => {
  expect(secondText(at, 'utc')).toBe('23:04:05')
  expect(exactTimeText(at, 'utc')).toBe('2026-11-22 23:04:05.042 UTC')
})

test('a time in the local time zone is the same moment', () => {
  const local = exactTimeText(at, 'local')
  expect(local).toContain(` ${secondText(at, 'local')}.042 `)
  expect(Date.parse(local.replace(' ', 'T').replace(' ', ''))).toBe(at)
})
