import type { z } from 'zod/mini'
import { durationText, spokenDuration } from '../text/duration.ts'
import { calculateDelay, type RetryInput, type RetryPolicy } from '../records/retry.ts'

/* A retry policy in words, for the dashboard's dialog and for the command line. */

export const NO_DURATION = 'Give a time such as 1500 (milliseconds), 30s, 5m or 2h.'
export const NO_NUMBER = 'Give a whole number, such as 3.'

/** The policy in a sentence: "Retries after 1 s, 2 s, 4 s." */
export function describePolicy(policy: RetryPolicy): string {
  if (policy.retryCount === 0) return 'No retries: the first failure ends it.'
  const delays = Array.from({ length: policy.retryCount }, (_, attempt) => calculateDelay(policy, attempt))
  const all = delays.every((delay) => delay === 0)
  const when = all ? 'at once' : `after ${delays.map(durationText).join(', ')}`
  const most = policy.retryCount === 1 ? 'One retry' : all ? `${policy.retryCount} retries` : 'Retries'
  const until =
    policy.retryMaxTime === null ? '' : `, none later than ${spokenDuration(policy.retryMaxTime)} after the first start`
  const which = policy.retryOn.length === 0 ? '' : `, if the error contains ${policy.retryOn.map(quoted).join(' or ')}`
  return `${most} ${when}${until}${which}.`
}

const quoted = (text: string): string => `“${text}”`

type Limits = { code?: string; path: PropertyKey[]; message: string; maximum?: number; minimum?: number }

/** The problem of a field, in a sentence that names the limit. */
export function retryProblem(field: keyof RetryInput, issue: z.core.$ZodIssue): string {
  const { code, path, message, maximum, minimum } = issue as Limits
  const amount = (value: number) => (field === 'retryCount' ? String(value) : spokenDuration(value))
  if (field === 'retryOn') {
    if (code === 'too_small') return 'Give a text.'
    if (code !== 'too_big') return message
    return path.length > 1
      ? `Line ${Number(path[1]) + 1} is too long: at most ${maximum ?? 0} characters.`
      : `Too many lines: at most ${maximum ?? 0}.`
  }
  if (code === 'too_big' && maximum !== undefined) return `At most ${amount(maximum)}.`
  if (code === 'too_small' && minimum !== undefined) return `At least ${amount(minimum)}.`
  return message
}
