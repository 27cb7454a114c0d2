import { expect, test } from 'vitest'
import { clockTime } from './clock-time.ts'

const now = Date.parse('2026-03-01T14:00:00Z')

test.each([
  ['2026-03-01T14:00:09.400Z', '14:00:09Z'],
  ['2026-03-01T14:05:00Z', '14:05:00Z'],
  ['2026-03-01T14:30:59Z', '14:30Z'],
  ['2026-03-01T13:00:00Z', '13:00Z'],
  ['2026-03-02T01:59:00Z', '01:59Z'],
  ['2026-03-02T02:00:01Z', '2026-03-02T02:00:01Z'],
])('%s is said as %s at two in the afternoon', (at, text) => {
  expect(clockTime(Date.parse(at), now)).toBe(text)
})

test('a moment beyond what dates can hold is its number', () => {
  expect(clockTime(9e15, now)).toBe('9000000000000000 ms')
})
