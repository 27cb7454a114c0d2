import { describe, expect, test } from 'vitest'
import { resetMs, waitAskedMs } from './rate-limit.ts'

const now = Date.UTC(2026, 0, 15, 12)
const asked = (headers: Record<string, string>) => waitAskedMs(headers, now)

describe('the time that an endpoint asks to wait', () => {
  test.each<[string, Record<string, string>, number | null]>([
    ['Retry-After', { 'retry-after': '7', 'x-ratelimit-reset': '60' }, 7000],
    ['in milliseconds', { 'retry-after-ms': '1500', 'retry-after': '2' }, 1500],
    ['the reset of a limit', { 'x-ratelimit-reset': '60' }, 60_000],
    [
      'the latest reset of those that are used up',
      {
        'x-ratelimit-remaining-requests': '0',
        'x-ratelimit-reset-requests': '6m0s',
        'x-ratelimit-remaining-tokens': '12',
        'x-ratelimit-reset-tokens': '2h',
      },
      360_000,
    ],
    [
      "Anthropic's",
      {
        'anthropic-ratelimit-input-tokens-remaining': '0',
        'anthropic-ratelimit-input-tokens-reset': '2026-01-15T12:05:00Z',
        'anthropic-ratelimit-requests-remaining': '5',
        'anthropic-ratelimit-requests-reset': '2026-01-15T13:00:00Z',
      },
      300_000,
    ],
    ['nothing while something is left of each', { 'x-ratelimit-remaining': '3', 'x-ratelimit-reset': '60' }, null],
    ['nothing by nonsense', { 'retry-after': 'soon', 'x-ratelimit-reset': 'later', 'x-ratelimit-reset-x': '' }, null],
    ['nothing by other headers', { 'content-length': '60' }, null],
  ])('%s', (_, headers, ms) => {
    expect(asked(headers)).toBe(ms)
  })

  test.each([
    ['120ms', 120],
    ['1s', 1000],
    ['1.5s', 1500],
    ['6m0s', 360_000],
    ['1d2h', 93_600_000],
    ['60', 60_000],
    [`${now / 1000 + 30}`, 30_000],
    [`${now + 30_000}`, 30_000],
    ['2026-01-15T12:00:30Z', 30_000],
    ['2026-01-15T13:00:30.5+01:00', 30_500],
    ['2026-01-15T11:00:00Z', 0],
    ['', null],
    ['-5', null],
    ['9'.repeat(400), null],
    ['2026-99-99T99:99:99Z', null],
  ])('a reset of %j is %j ms', (text, ms) => {
    expect(resetMs(text, now)).toBe(ms)
  })
})
