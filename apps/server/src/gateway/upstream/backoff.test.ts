import { describe, expect, test } from 'vitest'
import { decideRetry, retryAfterMs } from './backoff.ts'
import { defaultGatewayBounds } from '../bounds.ts'
import { problem, type Problem } from '../problem.ts'

const failed = (more: Partial<Problem> = {}) => problem(503, 'x', 'x', { transient: true, ...more })
const decide = (made: number, random: number, more: Partial<Problem> = {}) =>
  decideRetry(defaultGatewayBounds, failed(more), made, random)

describe('a transient failure', () => {
  test('is tried three more times, each time after twice as long, with jitter over the upper half', () => {
    expect([1, 2, 3].map((made) => decide(made, 0))).toEqual([500, 1000, 2000].map((inMs) => ({ do: 'retry', inMs })))
    expect(decide(3, 0.999)).toEqual({ do: 'retry', inMs: 3998 })
    expect(decide(4, 0)).toEqual({ do: 'give-up', because: 'exhausted' })
  })

  test('never waits longer than a minute by itself', () => {
    const bounds = { ...defaultGatewayBounds, retries: 50 }
    expect(decideRetry(bounds, failed(), 40, 1)).toEqual({ do: 'retry', inMs: 60_000 })
  })

  test('waits as long as the endpoint asks, or not at all if that is too long', () => {
    expect(decide(1, 0, { status: 500, retryAfterMs: 90_000 })).toEqual({ do: 'retry', inMs: 90_000 })
    expect(decide(1, 0, { retryAfterMs: 10 })).toEqual({ do: 'retry', inMs: 500 })
    expect(decide(1, 0, { status: 500, retryAfterMs: 3_600_000 })).toEqual({ do: 'give-up', because: 'too-long' })
  })

  test.each([429, 503, 529])(
    'makes the model cool down, and costs no try, if %i names a time that is no mere pause',
    (status) => {
      expect(decide(4, 0, { status, retryAfterMs: 5000 })).toEqual({ do: 'cool-down', forMs: 5000 })
      expect(decide(1, 0, { status, retryAfterMs: 4999 })).toEqual({ do: 'retry', inMs: 4999 })
    },
  )

  test('differs from a final one', () => {
    expect(decide(1, 0, { transient: false })).toEqual({ do: 'give-up', because: 'final' })
  })
})

describe('Retry-After', () => {
  const now = Date.UTC(2026, 0, 15, 12)

  test.each([
    ['7', 7000],
    ['0.25', 250],
    ['Thu, 15 Jan 2026 12:00:30 GMT', 30_000],
    ['Thu, 15 Jan 2026 11:00:00 GMT', 0],
    ['', null],
    [null, null],
    ['soon', null],
    ['-1', null],
    ['99999999999999', null],
  ])('%j is %j ms', (header, ms) => {
    expect(retryAfterMs(header, now)).toBe(ms)
  })
})
