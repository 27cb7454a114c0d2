import { describe, expect, test } from 'vitest'
import { durationText, parseDuration, spokenDuration, typedDuration } from './duration.ts'

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
  test('written into a field is read as the same time', () => {
    for (const ms of [0, 1, 999, 1000, 1500, 60_000, 90_000, 7_200_000])
      expect(parseDuration(typedDuration(ms))).toBe(ms)
  })
  test('is repeated exactly', () => {
    expect(spokenDuration(90_000)).toBe('1 min 30 s')
    expect(spokenDuration(1500)).toBe('1 s 500 ms')
    expect(spokenDuration(90_061_000)).toBe('1 d 1 h 1 min 1 s')
    expect(spokenDuration(0)).toBe('no time')
  })
})

test.each([
  [0, '0 s'],
  [-5, '0 s'],
  [250, '250 ms'],
  [1500, '1.5 s'],
  [9949, '9.9 s'],
  [9999, '10 s'],
  [45_000, '45 s'],
  [59_600, '1 min'],
  [723_000, '12 min 3 s'],
  [5_400_000, '1 h 30 min'],
  [7_539_000, '2 h 5 min'],
  [21_600_000, '6 h'],
  [604_800_000, '7 d'],
  [97_200_000, '1 d 3 h'],
])('%i ms is shown as %s', (ms, text) => expect(durationText(ms)).toBe(text))
