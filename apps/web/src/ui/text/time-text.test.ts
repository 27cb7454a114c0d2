import { expect, onTestFinished, test } from 'vitest'
import { agoText, elapsedText, exactText, spanText, wallClockText } from './time-text.ts'
import { setUtc } from './time-zone.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

test('a duration has one form, and a running one has whole seconds', () => {
  expect([400, 12 * SECOND, 192 * SECOND, 2 * HOUR + 5 * MINUTE].map(spanText)).toEqual([
    '0.4 s',
    '12 s',
    '3 min 12 s',
    '2 h 5 min',
  ])
  expect([180 * SECOND, 2 * HOUR].map(elapsedText)).toEqual(['3 min', '2 h'])
  expect([400, 7 * SECOND, 252 * SECOND, HOUR + 4 * MINUTE + 12 * SECOND].map(elapsedText)).toEqual([
    '0 s',
    '7 s',
    '4 min 12 s',
    '1 h 4 min',
  ])
})
test('an age is one figure, in months and years once days are too many', () => {
  const ages = [0, 40 * SECOND, 3 * MINUTE, 5 * HOUR, 12 * DAY, 60 * DAY, 61 * DAY, 314 * DAY, 740 * DAY]
  expect(ages.map(agoText)).toEqual(['now', '40 s', '3 min', '5 h', '12 d', '60 d', '2 mo', '10 mo', '2 y'])
})
test('a clock of the server that is a little ahead shows no negative time', () => {
  expect([elapsedText(-3), spanText(-3), agoText(-3)]).toEqual(['0 s', '0.0 s', 'now'])
})
test('a time of day is that of this computer, or UTC by choice, and then says so', () => {
  onTestFinished(() => setUtc(false))
  const at = Date.UTC(2026, 10, 22, 0, 4, 5)
  const here = wallClockText(at)
  expect(here).toBe(new Date(at).toTimeString().slice(0, 8))
  expect(exactText(at)).not.toContain('UTC')
  setUtc(true)
  expect(wallClockText(at)).toBe('00:04:05 UTC')
  expect(exactText(at)).toMatch(/22, 2026.*:04:05.* UTC$/)
})
