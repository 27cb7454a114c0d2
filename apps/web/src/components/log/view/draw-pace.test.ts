import { expect, it } from 'vitest'
import { DrawPace, REST_MS } from './draw-pace.ts'

const SEEN = 40

function paced() {
  const timers = new Set<() => void>()
  const asked = { draws: 0, rests: [] as number[] }
  const pace = new DrawPace({
    draw: () => void asked.draws++,
    after: (ms, run) => {
      asked.rests.push(ms)
      timers.add(run)
      return () => timers.delete(run)
    },
  })
  const rested = () => {
    for (const run of timers) {
      timers.delete(run)
      run()
    }
  }
  return { pace, asked, rested }
}

it('draws readable output with every frame', () => {
  const { pace, asked } = paced()
  for (let lines = 1; lines <= 5 * SEEN; lines += SEEN) {
    pace.grew(lines, SEEN)
    pace.drawn(lines, SEEN)
  }
  expect(asked).toEqual({ draws: 5, rests: [] })
})

it('rests between the screenfuls of a flood, and draws the newest one after it', () => {
  const { pace, asked, rested } = paced()
  pace.grew(1000, SEEN)
  pace.drawn(1000, SEEN)
  for (let lines = 2000; lines <= 9000; lines += 1000) pace.grew(lines, SEEN)
  expect(asked.draws).toBe(1)
  rested()
  expect(asked.draws).toBe(2)
  expect(asked.rests).toEqual([REST_MS])
})

it('draws nothing after a rest in which nothing came', () => {
  const { pace, asked, rested } = paced()
  pace.grew(1000, SEEN)
  pace.drawn(1000, SEEN)
  rested()
  expect(asked.draws).toBe(1)
})

it('does not wait with the few lines that end a flood', () => {
  const { pace, asked } = paced()
  pace.drawn(1000, SEEN)
  pace.grew(1003, SEEN)
  expect(asked.draws).toBe(1)
})

it('counts from the last drawing, as when a person moves', () => {
  const { pace, asked, rested } = paced()
  pace.drawn(1000, SEEN)
  pace.grew(5000, SEEN)
  pace.drawn(5000, SEEN)
  pace.grew(5001, SEEN)
  expect(asked.draws).toBe(1)
  rested()
  expect(asked.draws).toBe(1)
})

it('shows less than the 100 ms after which a picture seems to stand still', () => {
  expect(REST_MS).toBeLessThan(100 - 2 * 16)
})
