import { describe, expect, test } from 'vitest'
import { LineMarks } from './log-marks.ts'
import { FakeClock } from './testing/fake-clock.ts'

const BEGUN = Date.UTC(2026, 0, 1)
const seconds = (n: number) => BEGUN + n * 1000

/** A log in which every tenth line came a second after the line before, and every 50th on standard error. */
function marksOf(size: number) {
  const log = { lines: size, missing: false, fails: false }
  const asked: [number, number][] = []
  const clock = new FakeClock()
  const marks = new LineMarks({
    clock,
    onChange: () => undefined,
    ask: async (from, to) => {
      asked.push([from, to])
      if (log.fails) throw new Error('no answer')
      if (log.missing) return null
      const lines = Array.from({ length: Math.min(to, log.lines) - from }, (_, n) => from + n)
      const times = lines
        .filter((n) => n === from || n % 10 === 0)
        .map((n): [number, number] => [n, seconds(Math.floor(n / 10))])
      const stderr = lines.filter((n) => n % 50 === 0).map((n): [number, number] => [n, n])
      return { from, to: Math.min(to, log.lines), times, stderr }
    },
  })
  const look = (line: number) => marks.want([line], log.lines)
  return { log, asked, clock, marks, look }
}

describe('the marks of lines', () => {
  test('come for visible ones: a time from the nearest line before, and whether it was standard error', async () => {
    const { clock, marks, look, asked } = marksOf(1_000_000)
    look(500_000)
    expect(marks.timeOf(500_000)).toBeNull()
    clock.advance(100)
    await expect.poll(() => marks.timeOf(500_009)).toBe(seconds(50_000))
    expect(marks.timeOf(500_010)).toBe(seconds(50_001))
    expect([499_999, 500_000, 500_001, 500_050].map((line) => marks.isStderr(line))).toEqual([false, true, false, true])
    expect(asked).toEqual([[499_712, 501_760]])
    look(500_040)
    clock.advance(5000)
    expect(asked).toHaveLength(1)
    expect(marks.timeOf(0)).toBeNull()
  })

  test('of a growing log are requested where they end, and not with every line', async () => {
    const { log, clock, marks, look, asked } = marksOf(100)
    look(90)
    clock.advance(100)
    await expect.poll(() => marks.timeOf(99)).toBe(seconds(9))
    for (let n = 0; n < 50; n++) {
      log.lines++
      look(log.lines - 1)
      clock.advance(20)
    }
    await expect.poll(() => asked).toHaveLength(2)
    expect(asked[1]?.[0]).toBe(100)
    expect(marks.timeOf(95)).toBe(seconds(9))
    await expect.poll(() => marks.timeOf(130)).toBe(seconds(13))
    expect(marks.isStderr(100)).toBe(true)
  })

  test('of a flood are requested once a second, and those of a line that somebody goes to at once', async () => {
    const { log, clock, marks, look, asked } = marksOf(10_000)
    look(9_999)
    clock.advance(100)
    await expect.poll(() => marks.timeOf(9_999)).toBe(seconds(999))
    for (let n = 0; n < 9; n++) {
      log.lines += 5_000
      look(log.lines - 1)
      clock.advance(100)
      await Promise.resolve()
    }
    expect(asked).toHaveLength(1)
    look(2_100)
    clock.advance(100)
    await expect.poll(() => marks.timeOf(2_100)).toBe(seconds(210))
    look(log.lines - 1)
    clock.advance(1000)
    await expect.poll(() => marks.timeOf(log.lines - 1)).toBe(seconds((log.lines - 10) / 10))
    expect(asked).toHaveLength(3)
  })

  test('are not requested again if a server has none, and a little later if it did not answer', async () => {
    const { log, clock, look, asked } = marksOf(100)
    log.fails = true
    look(5)
    clock.advance(100)
    await expect.poll(() => asked).toHaveLength(1)
    await Promise.resolve()
    look(5)
    clock.advance(4000)
    expect(asked).toHaveLength(1)
    Object.assign(log, { fails: false, missing: true })
    look(5)
    clock.advance(5000)
    await expect.poll(() => asked).toHaveLength(2)
    await Promise.resolve()
    look(5)
    clock.advance(60_000)
    expect(asked).toHaveLength(2)
  })
})
