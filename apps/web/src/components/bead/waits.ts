import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { pauseText } from '@beadloom/core/records/pause.ts'
import { waitText } from '@beadloom/core/budget/wait.ts'
import type { Reason } from '@beadloom/core/dispatch/reason.ts'
import type { PendingPush } from '@beadloom/core/records/wait.ts'
import { agoText, inText, wallClockText } from '../../ui/text/time-text.ts'
import { counted } from '@beadloom/core/text/count-text.ts'

/** "14:05:10 (in 12 s)". */
export const whenText = (at: number, now: number): string => `${wallClockText(at)} (${inText(at - now)})`

export const pushText = ({ why, tries, nextAt }: PendingPush, now: number): string =>
  `Verified and merged; waiting to push to the project’s remote${why === '' ? '' : `: ${why.trim().replace(/[.:]$/, '')}`}. ` +
  `${counted(tries, 'try', 'tries')} so far, next at ${whenText(nextAt, now)}. Nothing is lost in the meantime.`

/** For a narrow card: what it waits for, and how long; null if it does not wait. */
export function waitLine(
  { waits }: Pick<ExecutionView, 'waits'>,
  now: number,
): { text: string; figures: string } | null {
  switch (waits?.kind) {
    case 'retry':
      return { text: `retry at ${wallClockText(waits.at)}`, figures: untilText(waits.at - now) }
    case 'push':
      return { text: 'push pending', figures: untilText(waits.nextAt - now) }
    case 'phase':
      return waits.continued
        ? { text: 'continues as soon as a slot is free', figures: '' }
        : { text: `phase ${waits.after} is done · waits for you`, figures: agoText(now - waits.since) }
    case 'pause':
      return { text: pauseText(waits), figures: waits.resumed ? '' : agoText(now - waits.since) }
    case 'budget':
      return { text: waitText(waits), figures: waits.granted ? '' : agoText(now - waits.since) }
    case undefined:
      return null
  }
}

/** A reason that passes by itself, and when; null for all others. */
export function untilLine(reason: Reason | null, now: number): { text: string; figures: string } | null {
  if (reason?.until === undefined) return null
  const figures = untilText(reason.until - now)
  if (reason.code === 'retry_later') return { text: `retry at ${wallClockText(reason.until)}`, figures }
  return reason.code === 'model_parked' ? { text: 'model cooling down', figures } : null
}

const untilText = (ms: number): string => (ms <= 0 ? 'now' : ms < 60_000 ? inText(ms) : `in ${agoText(ms)}`)
