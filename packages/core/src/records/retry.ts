import { z } from 'zod/mini'
import type { FailureKind } from './failure/failure.ts'

/*
 * The retry policy of failed executions: five fields, from a person or `beadloom.json`. Durations are milliseconds, as
 * in the formulas.
 */

export const retryBackoffs = ['fixed', 'exponential', 'linear'] as const
export type RetryBackoff = (typeof retryBackoffs)[number]

/** The longest delay, even if the formula gives more. */
export const LONGEST_DELAY_MS = 60_000
const MOST_RETRIES = 10
const MS_PER_DAY = 24 * 3_600_000

const milliseconds = (maximum: number) => z.int().check(z.nonnegative(), z.maximum(maximum))

/** The five fields as input. An absent one has the project's value, or else the default. */
export const retryFields = {
  /** Retries after the first failure. */
  retryCount: z.optional(milliseconds(MOST_RETRIES)),
  retryDelay: z.optional(milliseconds(LONGEST_DELAY_MS)),
  retryBackoff: z.optional(z.enum(retryBackoffs)),
  /**
   * Parts of an error's text: one of them must be in it, in upper or lower case. Absent or empty: every retryable
   * failure.
   */
  retryOn: z.optional(
    z.array(z.string().check(z.minLength(1), z.maxLength(200), z.regex(/^$|\S/, 'is blank'))).check(z.maxLength(20)),
  ),
  /** No retry starts later than this after the first start; 0: no limit. */
  retryMaxTime: z.optional(milliseconds(7 * MS_PER_DAY)),
}

export const RetryInput = z.strictObject(retryFields)
export type RetryInput = z.infer<typeof RetryInput>

/** The policy of one execution, fixed when it was queued. `retryMaxTime` null: no limit. */
export type RetryPolicy = {
  retryCount: number
  retryDelay: number
  retryBackoff: RetryBackoff
  retryOn: string[]
  retryMaxTime: number | null
}

export const defaultRetry: RetryPolicy = {
  retryCount: 0,
  retryDelay: 1000,
  retryBackoff: 'exponential',
  retryOn: [],
  retryMaxTime: null,
}

/** For each field, the first input that has it wins; then the default. */
export function resolveRetry(...inputs: RetryInput[]): RetryPolicy {
  const first = <K extends keyof RetryInput>(key: K): RetryInput[K] =>
    inputs.find((input) => input[key] !== undefined)?.[key]
  return {
    retryCount: first('retryCount') ?? defaultRetry.retryCount,
    retryDelay: first('retryDelay') ?? defaultRetry.retryDelay,
    retryBackoff: first('retryBackoff') ?? defaultRetry.retryBackoff,
    retryOn: first('retryOn') ?? defaultRetry.retryOn,
    retryMaxTime: first('retryMaxTime') || null,
  }
}

/** Milliseconds before the next retry; `attempt` counts failures from 0. */
export function calculateDelay({ retryDelay, retryBackoff }: RetryPolicy, attempt: number): number {
  const factor = { fixed: 1, linear: attempt + 1, exponential: 2 ** attempt }[retryBackoff]
  return Math.min(LONGEST_DELAY_MS, retryDelay * factor)
}

/** The delay before the first retry, and the factor for each later one. */
const OUTSIDE_DELAY: Partial<Record<FailureKind, { firstMs: number; factor: number }>> = {
  stopped_outside: { firstMs: 1_000, factor: 2 },
  supervisor_killed: { firstMs: 1_000, factor: 2 },
  engine_unreachable: { firstMs: 1_000, factor: 2 }, // and then Beadloom waits until Docker answers
  engine_timeout: { firstMs: 1_000, factor: 2 },
  server_short: { firstMs: 5_000, factor: 4 },
  result_lost: { firstMs: 1_000, factor: 2 },
}

/**
 * Whether the failure comes from outside: a stop by hand, Docker that goes away, a server that may open no more files.
 * Neither the agent nor the project is at fault, so it is always retried and costs none of the policy's retries. A
 * removed container does not count: its workspace is gone.
 */
export const isFromOutside = (kind: FailureKind): boolean => kind in OUTSIDE_DELAY

/** If it happens more often, somebody does it on purpose. */
export const OUTSIDE_RETRIES = 3

/** Milliseconds before the next retry after a failure from outside, or null if all are used. */
export function delayAfterOutside(kind: FailureKind, retries: number): number | null {
  const delay = OUTSIDE_DELAY[kind]
  return delay && retries < OUTSIDE_RETRIES ? delay.firstMs * delay.factor ** retries : null
}

export type RetryDecision =
  | { do: 'retry'; inMs: number }
  | { do: 'stop'; because: 'exhausted' | 'no_time' | 'no_match' }

/**
 * The decision after a failure. `attempt` counts failures from 0; `elapsedMs` is the time since the first start, delays
 * included. No retry starts at or after `retryMaxTime`.
 */
export function decideRetry(policy: RetryPolicy, attempt: number, elapsedMs: number, error: string): RetryDecision {
  if (attempt >= policy.retryCount) return { do: 'stop', because: 'exhausted' }
  const inMs = calculateDelay(policy, attempt)
  if (policy.retryMaxTime !== null && elapsedMs + inMs >= policy.retryMaxTime) return { do: 'stop', because: 'no_time' }
  const text = error.toLowerCase()
  const matches = policy.retryOn.length === 0 || policy.retryOn.some((pattern) => text.includes(pattern.toLowerCase()))
  return matches ? { do: 'retry', inMs } : { do: 'stop', because: 'no_match' }
}
