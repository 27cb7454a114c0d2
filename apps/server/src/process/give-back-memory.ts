import { availableParallelism, loadavg } from 'node:os'
import type { Clock } from './clock.ts'

const QUIET_MS = 15_000

/** Collects everything that is no longer needed, and gives its pages back to the system. */
type Collect = () => void

/** Node has it with `--expose-gc` (bin/server-command.mjs). It stops the program for a tenth of a second. */
const collectAll: Collect = () => void globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })

/** On a busy machine a collection takes half a second, in which nobody is answered. */
export const isCalm = (): boolean => (loadavg()[0] ?? 0) < availableParallelism()

/**
 * V8 keeps what a start or some hard work made it take for as long as nothing else is asked of it. When the server has
 * had nothing to do for a quarter of a minute it is given back, once for each time of quiet. Ends with `stop`.
 */
export async function giveBackMemory(
  isQuiet: () => boolean,
  clock: Pick<Clock, 'sleep'>,
  stop: AbortSignal,
  collect: Collect = collectAll,
): Promise<void> {
  let quiet = 0
  while (!stop.aborted) {
    await clock.sleep(QUIET_MS, stop)
    quiet = !stop.aborted && isQuiet() ? quiet + 1 : 0
    if (quiet === 1) collect()
  }
}
