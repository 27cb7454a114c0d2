import type { ExecutionView } from '@beadloom/core/api.ts'
import type { PendingPush } from '@beadloom/core/execution.ts'
import { inText, wallClockText } from '../../ui/time-text.ts'

/** "14:05:10 (in 12 s)". */
const whenText = (at: number, now: number): string => `${wallClockText(at)} (${inText(at - now)})`

/** "retry at 14:05:10 (in 12 s)" while it waits for its next run; else null. */
export const retryText = ({ retryAt }: Pick<ExecutionView, 'retryAt'>, now: number): string | null =>
  retryAt === null ? null : `retry at ${whenText(retryAt, now)}`

export const pushText = ({ why, tries, nextAt }: PendingPush, now: number): string =>
  `Verified and merged in the hub; waits for the project’s remote${why === '' ? '' : `: ${why.trim().replace(/[.:]$/, '')}`}. ` +
  `${tries} ${tries === 1 ? 'try' : 'tries'} so far, next try at ${whenText(nextAt, now)}. Nothing is lost meanwhile.`

/** For a card: "waits for the remote, next try in 12 s". */
export const shortPushText = ({ nextAt }: PendingPush, now: number): string =>
  `waits for the remote, next try ${inText(nextAt - now)}`
