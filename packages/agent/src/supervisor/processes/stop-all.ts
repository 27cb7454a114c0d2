import type { Clock } from '../../process/clock.ts'
import type { ProcessTable } from './process-table.ts'

const PAUSE_MS = 5
/**
 * A process that waits for a child stopped between `vfork` and `exec` cannot be stopped itself. So after this many
 * looks everything continues for a moment, and we try again.
 */
const LOOKS_A_TRY = 40
const TRIES = 10

export type Stopped = {
  /** Continues the processes that this has stopped, and none that were stopped before. */
  resume(): void
}

/**
 * Stops every process of the sandbox and resolves when none of their threads runs: nobody writes to a file, nobody
 * forks. Null if that fails, because somebody starts processes faster than they can be stopped, or hangs in the kernel;
 * then nothing stays stopped.
 */
export async function stopAll(table: ProcessTable, clock: Clock, signal: AbortSignal): Promise<Stopped | null> {
  const before = new Set(table.others().flatMap(({ pid, state }) => (state === 'T' ? [pid] : [])))
  const ours = new Set<number>()
  const resume = (): void => {
    for (const pid of ours) table.signal(pid, 'SIGCONT')
    ours.clear()
  }
  for (let look = 1; look <= LOOKS_A_TRY * TRIES && !signal.aborted; look++) {
    const running = table.others().filter(({ pid }) => !table.isStopped(pid))
    if (running.length === 0) return { resume }
    for (const { pid } of running) {
      if (!before.has(pid)) ours.add(pid)
      table.signal(pid, 'SIGSTOP')
    }
    await clock.sleep(PAUSE_MS)
    if (look % LOOKS_A_TRY === 0) resume()
  }
  resume()
  return null
}
