import {
  failureOf,
  type AttemptFacts,
  type FailedAttempt,
  type FailedCheck,
} from '@beadloom/core/execution/fresh-starts/failed-attempt.ts'
import type { FreshStartsOrder } from '@beadloom/core/execution/fresh-starts/fresh-starts.ts'
import { retryPrompt } from '@beadloom/core/execution/fresh-starts/retry-prompt.ts'
import type { LoopEnd, LoopStart } from '../loop/loop.ts'
import { runReactLoop } from '../loop/react-loop.ts'
import { AttemptRecord } from './attempt-record.ts'

/** Judges of an attempt, besides its own events. */
export type Judging = {
  check: () => Promise<FailedCheck[]>
  /** Whether the agent has said that it needs a person: then no attempt helps. */
  isBlocked: () => boolean
}

/**
 * Runs the loop until it succeeds, fails in a way that no further attempt is meant for, or has used up its attempts.
 * Each attempt has a conversation of its own with the original task; the workspace, the tokens spent and the record
 * continue.
 */
export async function runAttempts(start: LoopStart, order: FreshStartsOrder, judging: Judging): Promise<LoopEnd> {
  const { record, context } = start
  const maxAttempts = order.maxRetries + 1
  let prompt = start.prompt
  let steps = 0
  for (let attempt = 1; ; attempt++) {
    await record.write({ type: 'fresh_start', attempt, maxAttempts })
    const own = new AttemptRecord(record)
    // Step numbers repeat in each attempt; the prefix keeps the gateway from taking one for a repeated call.
    const caller = attempt === 1 ? {} : { caller: { prefix: `a${attempt}-` } }
    const end = await runReactLoop({ ...start, prompt, record: own, ...caller })
    steps += end.steps
    const over = { ...end, steps }
    const failed = await failureAfter(end, own, judging)
    if (failed === null || context.stop.aborted) return over
    const matches = (failed.condition & order.retryCondition) !== 0
    if (!matches || attempt === maxAttempts) return exhausted(start, over, attempt, failed)
    await record.write({
      type: 'warning',
      text: `[REACT] Attempt ${attempt} failed: ${failed.summary}. Retrying...`,
    })
    prompt = retryPrompt(order.template, start.prompt, { error: failed.error, ...own.lastStep })
  }
}

/** Null if it has not failed, or no attempt can help. */
async function failureAfter(
  { why, end }: LoopEnd,
  own: AttemptRecord,
  { check, isBlocked }: Judging,
): Promise<FailedAttempt | null> {
  if (why === 'stopped' || why === 'tokens' || isBlocked()) return null
  const checks = why === 'done' ? await check() : []
  const ended = why === 'failed' ? (end.reason === 'agent_repeats' ? 'circles' : 'other') : why
  return failureOf({ ended: ended satisfies AttemptFacts['ended'], text: end.text, checks, ...own.facts })
}

/** The last attempt's end, with a summary of all attempts. */
async function exhausted(
  { record }: LoopStart,
  over: LoopEnd,
  attempt: number,
  { summary }: FailedAttempt,
): Promise<LoopEnd> {
  const told = `Failed after ${attempt} attempts. Last error: ${summary}`
  if (over.why !== 'done') return attempt === 1 ? over : { ...over, end: { ...over.end, text: told } }
  // Its work is published and verified like any other, and the verification has attempts of its own.
  await record.write({ type: 'warning', text: attempt === 1 ? summary : told })
  return { ...over, end: { ...over.end, text: 'the agent finished, and its checks fail: the verification decides' } }
}
