import { describe, expect, test } from 'vitest'
import { parseDuration, spokenDuration, typedDuration } from './duration.ts'

describe('a time as people type it', () => {
  test.each([
    ['1500', 1500],
    ['1500ms', 1500],
    ['30s', 30_000],
    [' 5 m ', 300_000],
    ['2h', 7_200_000],
    ['1.5m', 90_000],
    ['1h 30m', 5_400_000],
    ['1H30M', 5_400_000],
    ['0', 0],
  ])('%j is %i ms', (text, ms) => expect(parseDuration(text)).toBe(ms))
  test.each(['', 'soon', '5 days', '-1', '-1s', '1e3', '0.5ms', '5m2', 's', `${'9'.repeat(40)}`, '１s'])(
    '%j is refused',
    (text) => expect(parseDuration(text)).toBeNull(),
  )
  test('what is written into a field is read as the same time', () => {
    for (const ms of [0, 1, 999, 1000, 1500, 60_000, 90_000, 7_200_000])
      expect(parseDuration(typedDuration(ms))).toBe(ms)
  })
  test('in words', () => {
    expect(spokenDuration(90_000)).toBe('1 minute 30 seconds')
    expect(spokenDuration(1500)).toBe('1 second 500 ms')
    expect(spokenDuration(0)).toBe('no time')
  })
})
