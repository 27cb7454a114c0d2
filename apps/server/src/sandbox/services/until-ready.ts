import { durationText } from '@beadloom/core/text/duration.ts'
import type { HealthCheck } from '../../ports/service.ts'
import type { Clock } from '../../process/clock.ts'
import type { RunningService } from './running-service.ts'

const LOOK_MS = 200
/** A service without a check counts as ready after so long. */
const UNASKED_MS = 1_000

/**
 * Resolves with the reason why it is not ready, as the end of a sentence; null: it is. Rejects when `signal` aborts.
 */
export async function untilReady(
  one: Pick<RunningService, 'service' | 'howItEnded'>,
  check: HealthCheck | null,
  startTimeoutMs: number,
  clock: Clock,
  signal: AbortSignal,
): Promise<string | null> {
  const since = clock.monotonic()
  const limit = check === null ? UNASKED_MS : startTimeoutMs
  for (;;) {
    signal.throwIfAborted()
    if (one.howItEnded !== null) return `${one.howItEnded} before it was ready`
    if (check !== null && (await one.service.isReady(check))) return null
    if (clock.monotonic() - since >= limit)
      return check === null ? null : `was not ready within ${durationText(limit)}: ${wordsOf(check)} did not succeed`
    await clock.sleep(LOOK_MS, signal)
  }
}

const wordsOf = (check: HealthCheck): string =>
  `\`${(typeof check === 'string' ? check : check.join(' ')).slice(0, 200)}\``
