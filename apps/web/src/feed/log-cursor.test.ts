import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decideChunk, decideEnd, isComplete, tailStart } from './log-cursor.ts'

describe('a chunk of a log', () => {
  test('that continues is taken whole', () => {
    expect(decideChunk({ next: 100, end: null }, 100, 20)).toEqual({ do: 'append', skip: 0, next: 120 })
  })
  test('that overlaps loses the known part', () => {
    expect(decideChunk({ next: 100, end: null }, 90, 20)).toEqual({ do: 'append', skip: 10, next: 110 })
  })
  test('that is known already is dropped', () => {
    expect(decideChunk({ next: 100, end: null }, 80, 20)).toEqual({ do: 'drop' })
  })
  test('after a gap is requested again from the cursor', () => {
    expect(decideChunk({ next: 100, end: null }, 101, 20)).toEqual({ do: 'resubscribe' })
  })

  test('whatever arrives, in whatever order and however often: each line is taken once and in order', () => {
    const chunk = fc.record({ first: fc.nat(200), count: fc.integer({ min: 1, max: 50 }) })
    fc.assert(
      fc.property(fc.array(chunk, { maxLength: 60 }), (chunks) => {
        const taken: number[] = []
        let next = 0
        for (const { first, count } of chunks) {
          const decision = decideChunk({ next, end: null }, first, count)
          if (decision.do !== 'append') continue
          for (let line = first + decision.skip; line < first + count; line++) taken.push(line)
          next = decision.next
        }
        expect(taken).toEqual(Array.from({ length: next }, (_, line) => line))
      }),
    )
  })
})

describe('the end of a log', () => {
  test('is complete only when the count agrees', () => {
    expect(decideEnd({ next: 10, end: null }, 10)).toEqual({ do: 'complete' })
    expect(isComplete({ next: 10, end: { lines: 10, exit: 0 } })).toBe(true)
    expect(isComplete({ next: 9, end: { lines: 10, exit: 0 } })).toBe(false)
    expect(isComplete({ next: 9, end: null })).toBe(false)
  })
  test('with more lines than we hold makes us fetch the rest', () => {
    expect(decideEnd({ next: 9, end: null }, 10)).toEqual({ do: 'catch-up' })
  })
  test('with fewer lines than we hold makes us start over: ours are of another log', () => {
    expect(decideEnd({ next: 11, end: null }, 10)).toEqual({ do: 'start-over' })
  })
})

test('the tail begins at a whole block and is at least a block long', () => {
  expect([0, 100, 512, 1000, 1024, 1500, 100_000].map(tailStart)).toEqual([0, 0, 0, 0, 512, 512, 99_328])
})
