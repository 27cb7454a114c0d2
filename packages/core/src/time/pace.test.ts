import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Pace } from './pace.ts'

const bounds = { atOnce: 3, stepMs: 50 }

test('the first of a burst wait for nothing, and later ones for their step', () => {
  const pace = new Pace(bounds)
  for (let done = 0; done < 3; done++) {
    expect(pace.wait(1_000)).toBe(0)
    pace.took(1_000)
  }
  expect(pace.wait(1_000)).toBe(50)
  expect(pace.wait(1_049)).toBe(1)
  expect(pace.wait(1_050)).toBe(0)
  pace.took(1_050)
  expect(pace.wait(1_050)).toBe(50)
})

test('a silence restores as many as fit into it, and never more than all', () => {
  const pace = new Pace(bounds)
  for (let done = 0; done < 3; done++) pace.took(0)
  pace.took(100)
  expect(pace.wait(100)).toBe(0)
  pace.took(100)
  expect(pace.wait(100)).toBe(50)
  for (let done = 0; done < 3; done++) {
    expect(pace.wait(1_000_000)).toBe(0)
    pace.took(1_000_000)
  }
  expect(pace.wait(1_000_000)).toBe(50)
})

test('a caller that waits as told acts at most `atOnce` times more often than the steps of any span', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 200 }), { maxLength: 60 }), (pauses) => {
      const pace = new Pace(bounds)
      const done: number[] = []
      let now = 0
      for (const pause of pauses) {
        now += pause + pace.wait(now + pause)
        pace.took(now)
        done.push(now)
      }
      for (const [index, from] of done.entries())
        for (const [later, to] of done.slice(index).entries())
          expect(later + 1).toBeLessThanOrEqual(bounds.atOnce + Math.floor((to - from) / bounds.stepMs))
    }),
  )
})
