import { parseExecutionId } from '@beadloom/core/records/ids.ts'
import { expect, test } from 'vitest'
import { EventRate } from './event-rate.ts'

const a = parseExecutionId('ex-aaaaaaaaaa')
const b = parseExecutionId('ex-bbbbbbbbbb')

test('events are counted by their numbers, minute by minute, for ten of them', () => {
  let at = 1_000_000
  const rate = new EventRate({ monotonic: () => at })
  expect(rate.perMinute()).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
  rate.take(a, 41) // the first one seen counts as one
  rate.take(a, 45)
  rate.take(b, 7)
  rate.take(a, 45)
  expect(rate.perMinute().at(-1)).toBe(6)
  at += 60_000
  rate.take(b, 9)
  expect(rate.perMinute().slice(-2)).toEqual([6, 2])
  at += 8 * 60_000
  expect(rate.perMinute().slice(0, 2)).toEqual([6, 2])
  at += 60_000
  expect(rate.perMinute()).toEqual([2, 0, 0, 0, 0, 0, 0, 0, 0, 0])
  at += 3_600_000
  expect(rate.perMinute()).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
})
