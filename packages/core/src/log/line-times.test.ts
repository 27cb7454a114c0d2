import { expect, test } from 'vitest'
import { timeForm, withTimes } from './line-times.ts'

const at = Date.UTC(2026, 9, 25, 0, 59, 59, 250)

test('each line comes after the time of the nearest entry before it', () => {
  const times = [[11, at], [13, at + 1000]] as const // prettier-ignore
  expect(withTimes('a\nb\n\nd\nhalf', 10, times, timeForm(null)).split('\n')).toEqual([
    '-                        a',
    '2026-10-25T00:59:59.250Z b',
    '2026-10-25T00:59:59.250Z ',
    '2026-10-25T01:00:00.250Z d',
    '2026-10-25T01:00:00.250Z half',
  ])
  expect(withTimes('', 0, times, timeForm(null))).toBe('')
  expect(withTimes('x\n', 40, times, timeForm(null))).toBe('2026-10-25T01:00:00.250Z x\n')
})

test('a zone’s own time says how far it is from UTC: a repeated hour is told apart', () => {
  const berlin = timeForm('Europe/Berlin')
  expect([berlin.of(at), berlin.of(at + 3_600_000)]).toEqual([
    '2026-10-25T02:59:59.250+02:00',
    '2026-10-25T02:59:59.250+01:00',
  ])
  expect(timeForm('America/St_Johns').of(at)).toBe('2026-10-24T22:29:59.250-02:30')
  expect(timeForm('UTC').of(at)).toBe('2026-10-25T00:59:59.250+00:00')
  expect(berlin.unknown).toHaveLength(berlin.of(at).length)
  expect(() => timeForm('Europe/Nowhere')).toThrow(RangeError)
})
