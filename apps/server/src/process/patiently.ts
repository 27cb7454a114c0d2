import type { Clock } from './clock.ts'
import { isDiskFull } from './disk-full.ts'
import { shortOf } from './start-process.ts'

const PAUSE_MS = 1_000

/** Whether the machine had no room, no free file or no memory at that moment. All of it passes without our doing. */
export const isShortage = (error: unknown): boolean => isDiskFull(error) || shortOf(error) !== null

/**
 * Repeats work for as long as the machine lacks a resource for it. Rejects for every other reason, and with the last
 * error when `stop` aborts.
 *
 * @param passes whether an error passes by itself
 */
export async function patiently<T>(
  clock: Pick<Clock, 'sleep'>,
  stop: AbortSignal,
  work: () => Promise<T>,
  passes: (error: unknown) => boolean = isShortage,
): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!passes(error) || stop.aborted) throw error
      await clock.sleep(PAUSE_MS, stop)
    }
  }
}
