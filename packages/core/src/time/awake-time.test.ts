import { expect, test } from 'vitest'
import { AwakeTime } from './awake-time.ts'

test('time counts while somebody looks every second', () => {
  const awake = new AwakeTime(500)
  for (let now = 500; now <= 60_500; now += 1_000) expect(awake.at(now)).toBe(now)
  expect(awake.pauses).toBe(0)
})

test('a pause counts as one second, and time continues after it', () => {
  const awake = new AwakeTime(0)
  expect(awake.at(1_000)).toBe(1_000)
  expect(awake.at(121_000)).toBe(2_000)
  expect(awake.at(121_500)).toBe(2_500)
  expect(awake.pauses).toBe(1)
})

test('a busy moment of up to three seconds is no pause', () => {
  const awake = new AwakeTime(0)
  expect(awake.at(3_000)).toBe(3_000)
  expect(awake.at(6_001)).toBe(4_000)
  expect(awake.pauses).toBe(1)
})

test('time never goes back, even if its source does', () => {
  const awake = new AwakeTime(10_000)
  expect(awake.at(9_000)).toBe(10_000)
  expect(awake.at(10_500)).toBe(10_500)
})

test('a process that is always late still gets older', () => {
  const awake = new AwakeTime(0)
  for (let round = 1; round <= 10; round++) expect(awake.at(round * 10_000)).toBe(round * 1_000)
})
