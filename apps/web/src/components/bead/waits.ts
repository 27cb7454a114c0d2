import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { waitText } from '@beadloom/core/budget/wait.ts'
import type { Reason } from '@beadloom/core/dispatch/reason.ts'
import type { PendingPush } from '@beadloom/core/records/execution.ts'
import { agoText, inText, wallClockText } from '../../ui/text/time-text.ts'
import { counted } from '@beadloom/core/text/count-text.ts'

/** "14:05:10 (in 12 s)". */
const whenText = (at: number, now: number): string => `${wallClockText(at)} (${inText(at - now)})`

/** "14:05:10 (in 12 s)", the time of its next retry; null if no retry is waiting. */
export const retryWhen = ({ retryAt }: Pick<ExecutionView, 'retryAt'>, now: number): string | null =>
  retryAt === null ? null : whenText(retryAt, now)

export const pushText = ({ why, tries, nextAt }: PendingPush, now: number): string =>
  `Verified and merged; waiting to push to the project’s remote${why === '' ? '' : `: ${why.trim().replace(/[.:]$/, '')}`}. ` +
  `${counted(tries, 'try', 'tries')} so far, next at ${whenText(nextAt, now)}. Nothing is lost in the meantime.`

/** For a narrow card: what it waits for, and how long; null if it does not wait. */
export function waitLine(
  {
    retryAt,
    pendingPush,
    phaseWait,
    budgetWait,
  }: Pick<ExecutionView, 'retryAt' | 'pendingPush' | 'phaseWait' | 'budgetWait'>,
  now: number,
): { text: string; figures: string } | null {
  if (retryAt !== null) return { text: `retry at ${wallClockText(retryAt)}`, figures: untilText(retryAt - now) }
  if (budgetWait)
    return { text: waitText(budgetWait), figures: budgetWait.granted ? '' : agoText(now - budgetWait.since) }
  if (phaseWait)
    return phaseWait.continued
      ? { text: 'continues as soon as a slot is free', figures: '' }
      : { text: `phase ${phaseWait.after} is done · waits for you`, figures: agoText(now - phaseWait.since) }
  return pendingPush && { text: 'push pending', figures: untilText(pendingPush.nextAt - now) }
}

/** A reason that passes by itself, and when; null for all others. */
export function untilLine(reason: Reason | null, now: number): { text: string; figures: string } | null {
  if (reason?.until === undefined) return null
  const figures = untilText(reason.until - now)
  if (reason.code === 'retry_later') return { text: `retry at ${wallClockText(reason.until)}`, figures }
  return reason.code === 'model_parked' ? { text: 'model cooling down', figures } : null
}

const untilText = (ms: number): string => (ms <= 0 ? 'now' : ms < 60_000 ? inText(ms) : `in ${agoText(ms)}`)
