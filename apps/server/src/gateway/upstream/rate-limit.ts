import type { IncomingHttpHeaders } from 'node:http'
import { retryAfterMs } from './backoff.ts'

/**
 * Milliseconds after which an endpoint that refused a call may be asked again; null when it does not say.
 * `Retry-After` is meant for this call and wins; otherwise the latest reset of a limit that is used up.
 */
export function waitAskedMs(headers: IncomingHttpHeaders, now: number): number | null {
  const exact = textOf(headers['retry-after-ms'])
  if (exact !== null && /^\d{1,10}$/.test(exact)) return Number(exact)
  const asked = retryAfterMs(textOf(headers['retry-after']), now)
  if (asked !== null) return asked
  const waits: number[] = []
  for (const [name, value] of Object.entries(headers)) {
    const limit = resetOf(name)
    if (!limit) continue
    const left = textOf(headers[limit.remaining])
    const wait = left === null || Number(left) <= 0 ? resetMs(textOf(value) ?? '', now) : null
    if (wait !== null) waits.push(wait)
  }
  return waits.length > 0 ? Math.max(...waits) : null
}

/** Header names differ, and so do the units of their numbers. Every value may be nonsense, so each is bounded. */
const textOf = (value: string | string[] | undefined): string | null => (typeof value === 'string' ? value : null)

/** `x-ratelimit-reset`, `x-ratelimit-reset-tokens`, `anthropic-ratelimit-input-tokens-reset` and their `remaining`. */
function resetOf(name: string): { remaining: string } | null {
  const known = /^(?:x-ratelimit-reset(?:-[\w-]{1,40})?|anthropic-ratelimit-[\w-]{1,40}-reset)$/
  return known.test(name) ? { remaining: name.replace('reset', 'remaining') } : null
}

/** Reads a time (ISO 8601; seconds or milliseconds since 1970) or a duration (seconds; "6m0s", "120ms"). */
export function resetMs(text: string, now: number): number | null {
  const value = text.trim()
  if (/^\d{1,15}(\.\d{1,6})?$/.test(value)) {
    const number = Number(value)
    if (number > 1e12) return Math.max(0, number - now)
    return number > 1e9 ? Math.max(0, number * 1000 - now) : Math.ceil(number * 1000)
  }
  if (/^\d{4}-\d\d-\d\dT[\d:.]{5,20}(?:Z|[+-]\d\d:?\d\d)$/.test(value)) {
    const at = Date.parse(value)
    return Number.isNaN(at) ? null : Math.max(0, at - now)
  }
  const parts =
    /^(?:(\d{1,4})d)?(?:(\d{1,4})h)?(?:(\d{1,6})m)?(?:(\d{1,6}(?:\.\d{1,9})?)s)?(?:(\d{1,9}(?:\.\d{1,9})?)ms)?$/.exec(
      value,
    )
  if (!parts || value === '') return null
  const [days = 0, hours = 0, minutes = 0, seconds = 0, ms = 0] = parts.slice(1).map((part) => Number(part ?? 0))
  return Math.ceil((((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000 + ms)
}
