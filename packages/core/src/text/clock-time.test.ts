import { expect, test } from 'vitest'
import { clockTime, dateTime } from './clock-time.ts'

const now = Date.parse('2026-03-01T14:00:00Z')

test.each([
  ['2026-03-01T14:00:09.400Z', '14:00:09 UTC'],
  ['2026-03-01T14:05:00Z', '14:05:00 UTC'],
  ['2026-03-01T14:30:59Z', '14:30 UTC'],
  ['2026-03-01T13:00:00Z', '13:00 UTC'],
  ['2026-03-02T01:59:00Z', '01:59 UTC'],
  ['2026-03-02T02:00:01Z', '2026-03-02 02:00 UTC'],
])('%s is shown as %s at two in the afternoon', (at, text) => {
  expect(clockTime(Date.parse(at), now)).toBe(text)
})

test('a moment beyond the range of dates is its number', () => {
  expect(clockTime(9e15, now)).toBe('9000000000000000 ms')
})

test('a moment that is alone has its date and its second', () => {
  expect(dateTime(Date.parse('2026-03-02T02:00:01.5Z'))).toBe('2026-03-02 02:00:01 UTC')
})
