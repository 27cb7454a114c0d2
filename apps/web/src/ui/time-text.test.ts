import { expect, onTestFinished, test } from 'vitest'
import { agoText, bytesText, clockText, exactText, shortCount, spanText, wallClockText } from './time-text.ts'
import { setUtc } from './time-zone.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

test('a running time reads like a stopwatch', () => {
  expect([0, 7 * SECOND, 252 * SECOND, HOUR + 4 * MINUTE + 12 * SECOND].map(clockText)).toEqual([
    '0:00',
    '0:07',
    '4:12',
    '1:04:12',
  ])
})
test('a duration reads like a sentence', () => {
  expect([400, 12 * SECOND, 192 * SECOND, 2 * HOUR + 5 * MINUTE].map(spanText)).toEqual([
    '0.4 s',
    '12 s',
    '3 m 12 s',
    '2 h 5 m',
  ])
})
test('an age is one figure', () => {
  expect([0, 40 * SECOND, 3 * MINUTE, 5 * HOUR, 300 * HOUR].map(agoText)).toEqual([
    'now',
    '40 s',
    '3 min',
    '5 h',
    '12 d',
  ])
})
test('a clock of the server that is a little ahead shows no negative time', () => {
  expect([clockText(-3), spanText(-3), agoText(-3)]).toEqual(['0:00', '0.0 s', 'now'])
})
test('counts are short on cards', () => {
  expect([812, 1000, 12_413, 104_233, 999_700, 1_250_000].map(shortCount)).toEqual([
    '812',
    '1k',
    '12.4k',
    '104k',
    '1M',
    '1.3M',
  ])
})
test('sizes are in powers of 1024', () => {
  expect([100, 1536, 41 * 1024 ** 3].map(bytesText)).toEqual(['100 B', '1.5 KiB', '41 GiB'])
})

test('a time of day is that of this computer, or of UTC for who chose that, and then says so', () => {
  onTestFinished(() => setUtc(false))
  const at = Date.UTC(2026, 10, 22, 0, 4, 5)
  const here = wallClockText(at)
  expect(here).toBe(new Date(at).toTimeString().slice(0, 8))
  expect(exactText(at)).not.toContain('UTC')
  setUtc(true)
  expect(wallClockText(at)).toBe('00:04:05 UTC')
  expect(exactText(at)).toMatch(/22, 2026.*:04:05.* UTC$/)
})
