import type { GatewayBounds } from '../bounds.ts'
import type { Problem } from '../problem.ts'

export type RetryDecision =
  | { do: 'retry'; inMs: number }
  | { do: 'cool-down'; forMs: number }
  | { do: 'give-up'; because: 'final' | 'exhausted' | 'too-long' }

/**
 * Decides whether a failed call is made again. `made` counts the calls so far; `random` is in [0, 1), so the caller
 * owns chance. The wait is exponential with jitter over the upper half. A longer `Retry-After` of the endpoint wins,
 * and ends the call if a caller would not wait so long. An endpoint that is too busy and says until when has not
 * failed: its model cools down, and the call does not count as a try.
 */
export function decideRetry(bounds: GatewayBounds, failed: Problem, made: number, random: number): RetryDecision {
  if (!failed.transient) return { do: 'give-up', because: 'final' }
  const asked = failed.retryAfterMs ?? 0
  if (busy.has(failed.status) && asked >= bounds.cooldownFromMs) return { do: 'cool-down', forMs: asked }
  if (made > bounds.retries) return { do: 'give-up', because: 'exhausted' }
  if (asked > bounds.longestWaitMs) return { do: 'give-up', because: 'too-long' }
  const ceiling = Math.min(bounds.backoffCapMs, bounds.backoffBaseMs * 2 ** (made - 1))
  return { do: 'retry', inMs: Math.max(asked, Math.round(ceiling / 2 + (ceiling / 2) * random)) }
}

/** Statuses of an endpoint that is too busy at the moment. */
const busy: ReadonlySet<number> = new Set([429, 503, 529])

/** The milliseconds in a `Retry-After` header, given as seconds or as an HTTP date; null for anything else. */
export function retryAfterMs(header: string | null, now: number): number | null {
  const text = header?.trim()
  if (!text) return null
  if (/^\d{1,9}(\.\d{1,3})?$/.test(text)) return Math.ceil(Number(text) * 1000)
  // Checked for the shape of a date, because `Date.parse` accepts much that is not one, such as "-1".
  const at = /^[A-Za-z]{3},? .*\d{4}/.test(text) ? Date.parse(text) : NaN
  return Number.isNaN(at) ? null : Math.max(0, at - now)
}
