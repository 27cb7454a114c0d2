import { describe, expect, test } from 'vitest'
import { defaultRetry } from '../records/retry.ts'
import { describePolicy } from './retry-words.ts'

describe('the preview of the delays', () => {
  const say = (changed: object) => describePolicy({ ...defaultRetry, ...changed })
  test('says when, up to when, and for which failures', () => {
    expect(say({})).toBe('No retries: the first failure ends it.')
    expect(say({ retryCount: 1 })).toBe('One retry after 1 s.')
    expect(say({ retryCount: 3 })).toBe('Retries after 1 s, 2 s, 4 s.')
    expect(say({ retryCount: 3, retryBackoff: 'linear', retryDelay: 1500 })).toBe('Retries after 1.5 s, 3 s, 4.5 s.')
    expect(say({ retryCount: 2, retryDelay: 0 })).toBe('2 retries at once.')
    expect(say({ retryCount: 2, retryDelay: 40_000 })).toBe('Retries after 40 s, 1 min.')
    expect(say({ retryCount: 1, retryMaxTime: 300_000, retryOn: ['oom', 'EOF'] })).toBe(
      'One retry after 1 s, none later than 5 min after the first start, if the error contains “oom” or “EOF”.',
    )
  })
})
