import { describe, expect, test } from 'vitest'
import { ContextGauge, percentFull, type CallPart } from './context-gauge.ts'

const WINDOW = 1000
function play(calls: readonly (number | [CallPart, number])[], gauge = new ContextGauge()) {
  const compacted = calls.flatMap((call) => {
    const [part, tokens] = typeof call === 'number' ? (['work', call] as const) : call
    return gauge.heard(part, tokens, WINDOW) ?? []
  })
  return { ...gauge.context, compacted }
}

describe('the fullness of a session’s context', () => {
  test('is unknown before its first call', () => {
    expect(new ContextGauge().context).toBeNull()
    expect(play([['beside', 50]]).tokens).toBeUndefined()
  })

  test('follows its work, and remembers the fullest', () => {
    expect(play([100, 300, 500])).toEqual({ tokens: 500, window: WINDOW, peak: 500, compactions: 0, compacted: [] })
    expect(play([100, 900, 700])).toMatchObject({ tokens: 700, peak: 900, compactions: 0 })
  })

  test('ignores that of a title, of a sub-agent, or of a passing conversation beside it', () => {
    expect(play([600, ['beside', 20], 650])).toMatchObject({ tokens: 650, compacted: [] })
    expect(play([600, 50, 90, 120, 650])).toMatchObject({ tokens: 650, compactions: 0, compacted: [] })
    expect(play([600, 50, 90, 120])).toMatchObject({ tokens: 600 })
  })

  test('is the smaller one once the larger does not come back', () => {
    expect(play([600, 50, 90, 120, 150])).toMatchObject({ tokens: 150, peak: 600, compactions: 0, compacted: [] })
  })

  test('falls at once if the agent says that it begins anew, which is no compaction', () => {
    expect(play([800, ['anew', 50], 90])).toMatchObject({ tokens: 90, peak: 800, compactions: 0, compacted: [] })
    expect(play([800, ['summary', 810], ['anew', 50]]).compactions).toBe(0)
  })

  test('falls at once if the agent has asked for a summary, which is a compaction', () => {
    expect(play([800, ['summary', 920], 200, 250])).toEqual({
      tokens: 250,
      window: WINDOW,
      peak: 920,
      compactions: 1,
      compacted: [{ before: 920, after: 200, window: WINDOW }],
    })
    expect(play([800, ['summary', 40], 200, 700, ['summary', 750], 100]).compactions).toBe(2)
  })

  test('is unchanged if a summary shortened nothing', () => {
    expect(play([800, ['summary', 820], 830])).toMatchObject({ tokens: 830, compactions: 0, compacted: [] })
  })

  test("continues from an earlier server's value", () => {
    const gauge = new ContextGauge({ tokens: 800, window: WINDOW, peak: 900, compactions: 2 })
    expect(play([['summary', 810], 100], gauge)).toMatchObject({ tokens: 100, peak: 900, compactions: 3 })
  })

  test('in percent is at most 100', () => {
    expect(percentFull({ tokens: 642, window: 1000 })).toBe(64)
    expect(percentFull({ tokens: 1500, window: 1000 })).toBe(100)
    expect(percentFull({ tokens: 5, window: 0 })).toBe(0)
  })
})
