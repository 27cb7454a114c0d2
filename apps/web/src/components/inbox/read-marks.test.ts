import { expect, test } from 'vitest'
import type { Notice } from './notices.ts'
import { firstMarks, isRead, parseMarks, withRead } from './read-marks.ts'

const notice = (id: string, at: number) => ({ id, at }) as Notice

test('at the first look only the last day is new', () => {
  const now = 10 * 24 * 3_600_000
  expect(isRead(firstMarks(now), notice('a', now - 1000))).toBe(false)
  expect(isRead(firstMarks(now), notice('a', now - 2 * 24 * 3_600_000))).toBe(true)
})
test('a read one stays read, whatever time it carries', () => {
  const marks = withRead({ upTo: 5, ids: [] }, [notice('a', 7)])
  expect([isRead(marks, notice('a', 9)), isRead(marks, notice('b', 7)), isRead(marks, notice('b', 5))]).toEqual([
    true,
    false,
    true,
  ])
})
test('the memory is bounded, and a stored one comes back or is nothing', () => {
  const marks = withRead(
    { upTo: 0, ids: [] },
    Array.from({ length: 500 }, (_, n) => notice(String(n), n)),
  )
  expect(marks.ids.length).toBe(200)
  expect(parseMarks(JSON.stringify(marks))).toEqual(marks)
  for (const text of [null, '', 'null', '[]', '{"upTo":"1","ids":[]}', '{"upTo":1}'])
    expect(parseMarks(text)).toBeNull()
})
