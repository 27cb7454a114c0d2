import { describe, expect, test } from 'vitest'
import { swimLanes, ticksOf } from './swim-lanes.ts'
import { executionOf, phasesWith, ran, session } from './phases-kit.ts'

describe('swim lanes', () => {
  const sessions = [ran(1, 'subtask', '1a'), ran(2, 'subtask', '1b'), ran(3, 'check'), ran(4, 'subtask', '1a', 2)]
  const phases = phasesWith({ status: 'retrying', attempt: 2, sessions })
  const execution = executionOf([session(1, 10, 20), session(2, 11, 15), session(3, 21, 25), session(4, 30, null)])

  test('have one lane for each subtask that has begun, and one for the rest of its phase', () => {
    const chart = swimLanes(phases, execution, 40_000)
    expect(chart).toMatchObject({ from: 10_000, to: 40_000, groups: [{ phase: { number: 1 } }] })
    const lanes = chart?.groups[0]?.lanes.map(({ id, bars }) => [id, bars.map(({ from, to }) => [from, to])])
    expect(lanes).toEqual([
      [
        '1a',
        [
          [10_000, 20_000],
          [30_000, 40_000],
        ],
      ],
      ['1b', [[11_000, 15_000]]],
      ['', [[21_000, 25_000]]],
    ])
  })

  test('show repetitions', () => {
    const [lane] = swimLanes(phases, execution, 40_000)?.groups[0]?.lanes ?? []
    expect(lane?.bars.map(({ superseded }) => superseded)).toEqual([true, false])
  })

  test('end with the last session once the execution has ended, and do not exist before the first', () => {
    const ended = executionOf([session(1, 10, 20)], 90_000)
    expect(swimLanes(phases, ended, 999_000)?.to).toBe(20_000)
    expect(swimLanes(phasesWith(), null, 0)).toBeNull()
  })

  test('have as many time marks as have room for their texts, at round distances', () => {
    const texts = (to: number, width: number) => ticksOf({ from: 5, to: 5 + to }, width).map(({ text }) => text)
    expect(texts(50_000, 500)).toEqual(['0 s', '10 s', '20 s', '30 s', '40 s', '50 s'])
    expect(texts(785_000, 366)).toEqual(['0 s', '2 min', '4 min', '6 min', '8 min', '10 min', '12 min'])
    expect(texts(3_600_000, 180)).toEqual(['0 s', '30 min', '1 h'])
    expect(texts(3_600_000, 40)).toEqual(['0 s', '1 h'])
    expect(texts(60 * 86_400_000, 500)).toHaveLength(8)
    expect(texts(50_000, 0)).toEqual([])
  })

  test('have no text that would run into the next one, or out of the picture', () => {
    for (const width of [60, 168, 222, 300, 451, 640, 1234])
      for (let to = 1_000; to < 200 * 86_400_000; to *= 1.7) {
        const shown = ticksOf({ from: 0, to }, width).filter(({ labelled }) => labelled)
        const ends = [...shown.slice(1).map(({ at }) => (at / to) * width - 8), width]
        expect(shown.length).toBeGreaterThan(0)
        for (const [index, { at, text }] of shown.entries())
          expect((at / to) * width + text.length * 7).toBeLessThanOrEqual(ends[index]!)
      }
  })
})
