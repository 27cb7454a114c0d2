import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { QueueExecution } from '../api/executions/execution-requests.ts'
import { parseProjectConfig } from '../project/project-config.ts'
import { retryLayer, type FailureKind } from './failure/failure.ts'
import {
  calculateDelay,
  decideRetry,
  defaultRetry,
  delayAfterOutside,
  isFromOutside,
  LONGEST_DELAY_MS,
  retryBackoffs,
  resolveRetry,
} from './retry.ts'
import type { RetryPolicy } from './retry.ts'

const policy = (fields: Partial<RetryPolicy>): RetryPolicy => ({ ...defaultRetry, ...fields })
const delays = (fields: Partial<RetryPolicy>, count = 3) =>
  Array.from({ length: count }, (_, attempt) => calculateDelay(policy(fields), attempt))

/** The start times, since the first one, of executions that all fail at once. */
function startsOf(fields: Partial<RetryPolicy>, error = 'boom'): number[] {
  const starts = [0]
  for (let attempt = 0; ; attempt++) {
    const decision = decideRetry(policy(fields), attempt, starts.at(-1)!, error)
    if (decision.do === 'stop') return starts
    starts.push(starts.at(-1)! + decision.inMs)
  }
}

test('a failure from outside is retried three times, each time a little later', () => {
  const delays = (kind: FailureKind) => [0, 1, 2, 3].map((retries) => delayAfterOutside(kind, retries))
  expect(delays('stopped_outside')).toEqual([1000, 2000, 4000, null])
  expect(delays('server_short')).toEqual([5000, 20_000, 80_000, null])
  expect(delays('agent_failed')).toEqual([null, null, null, null])
  const outside = Object.keys(retryLayer).filter((kind) => isFromOutside(kind as FailureKind))
  expect(outside).toEqual([
    'engine_unreachable',
    'engine_timeout',
    'server_short',
    'supervisor_killed',
    'stopped_outside',
    'result_lost',
  ])
})

describe('the delay before the next run', () => {
  test('fixed is always the same', () => {
    expect(delays({ retryBackoff: 'fixed' })).toEqual([1000, 1000, 1000])
  })

  test('linear grows by the first delay', () => {
    expect(delays({ retryBackoff: 'linear' })).toEqual([1000, 2000, 3000])
  })

  test('exponential doubles, and is the default', () => {
    expect(delays({})).toEqual([1000, 2000, 4000])
    expect(defaultRetry.retryBackoff).toBe('exponential')
  })

  test('is never longer than a minute', () => {
    expect(delays({ retryDelay: 50_000 }, 4)).toEqual([50_000, 60_000, 60_000, 60_000])
    expect(LONGEST_DELAY_MS).toBe(60_000)
  })
})

describe('the decision after a failed run', () => {
  test('without any field is not to retry', () => {
    expect(resolveRetry({})).toEqual(defaultRetry)
    expect(startsOf({})).toEqual([0])
  })

  test('counts runs after the first one', () => {
    expect(startsOf({ retryCount: 3 })).toEqual([0, 1000, 3000, 7000])
  })

  test('keeps fixed delays the same, and lets linear ones grow by the first', () => {
    expect(startsOf({ retryCount: 2, retryDelay: 2000, retryBackoff: 'fixed' })).toEqual([0, 2000, 4000])
    expect(startsOf({ retryCount: 3, retryBackoff: 'linear' })).toEqual([0, 1000, 3000, 6000])
  })

  test('starts no run after the longest time: 15 s + 16 s is more than 30 s', () => {
    const starts = startsOf({ retryCount: 5, retryMaxTime: 30_000 })
    expect(starts).toEqual([0, 1000, 3000, 7000, 15_000])
    expect(decideRetry(policy({ retryCount: 5, retryMaxTime: 30_000 }), 4, 15_000, '')).toEqual({
      do: 'stop',
      because: 'no_time',
    })
  })

  test('counts time from the first start, runs and delays together', () => {
    const limited = policy({ retryCount: 5, retryDelay: 0, retryMaxTime: 10_000 })
    expect(decideRetry(limited, 0, 9_999, '')).toEqual({ do: 'retry', inMs: 0 })
    expect(decideRetry(limited, 0, 10_000, '')).toEqual({ do: 'stop', because: 'no_time' })
  })

  test('takes a longest time of 0 for none', () => {
    expect(resolveRetry({ retryMaxTime: 0 }).retryMaxTime).toBeNull()
  })

  test('looks for patterns in the error in any case; none or an empty list match all', () => {
    const picky = policy({ retryCount: 2, retryOn: ['rate limit', 'timeout', 'network error'] })
    expect(decideRetry(picky, 0, 0, 'Error: Rate Limit exceeded').do).toBe('retry')
    expect(decideRetry(picky, 0, 0, 'NETWORK ERROR')).toMatchObject({ do: 'retry' })
    expect(decideRetry(picky, 0, 0, 'disk full')).toEqual({ do: 'stop', because: 'no_match' })
    expect(decideRetry(policy({ retryCount: 1, retryOn: [] }), 0, 0, 'anything').do).toBe('retry')
    expect(decideRetry(policy({ retryCount: 1, retryOn: ['a.c'] }), 0, 0, 'abc').do).toBe('stop')
  })

  test('looks at nothing else after the last run', () => {
    const spent = policy({ retryCount: 1, retryOn: ['no'], retryMaxTime: 1 })
    expect(decideRetry(spent, 1, 99, 'x')).toEqual({ do: 'stop', because: 'exhausted' })
  })

  test('ends, whatever the fields', () => {
    const fields = fc.record({
      retryCount: fc.nat(10),
      retryDelay: fc.nat(60_000),
      retryBackoff: fc.constantFrom(...retryBackoffs),
      retryOn: fc.array(fc.string({ minLength: 1 }), { maxLength: 3 }),
      retryMaxTime: fc.option(fc.integer({ min: 1, max: 600_000 })),
    })
    fc.assert(
      fc.property(fields, fc.string(), (some, error) => {
        const starts = startsOf(some, error)
        expect(starts.length).toBeLessThanOrEqual(some.retryCount + 1)
        if (some.retryMaxTime !== null) expect(starts.at(-1)).toBeLessThan(some.retryMaxTime)
      }),
    )
  })
})

describe('the five fields in a request', () => {
  const bad = [
    { retryCount: -1 },
    { retryCount: 11 },
    { retryCount: 1.5 },
    { retryCount: '3' },
    { retryDelay: -1 },
    { retryDelay: 60_001 },
    { retryBackoff: 'quadratic' },
    { retryOn: 'timeout' },
    { retryOn: [''] },
    { retryOn: [3] },
    { retryMaxTime: -5 },
    { retries: 3 },
  ]

  test.each(bad)('%j is refused by the API and in beadloom.json, by name', (fields) => {
    const answer = QueueExecution.safeParse(fields)
    expect(answer.success).toBe(false)
    const [name] = Object.keys(fields)
    const inFile = () => parseProjectConfig(JSON.stringify({ retry: fields }))
    expect(inFile).toThrow(`retry.${name}`)
  })

  test('all five are optional and taken as they are', () => {
    const all = {
      retryCount: 2,
      retryDelay: 0,
      retryBackoff: 'linear',
      retryOn: ['timeout'],
      retryMaxTime: 30_000,
    } as const
    expect(QueueExecution.parse({})).toEqual({})
    expect(QueueExecution.parse(all)).toEqual(all)
    expect(resolveRetry(QueueExecution.parse(all))).toEqual(all)
  })

  test('override the project, field by field', () => {
    expect(resolveRetry({ retryCount: 1 }, { retryCount: 5, retryDelay: 7 })).toMatchObject({
      retryCount: 1,
      retryDelay: 7,
    })
  })
})
