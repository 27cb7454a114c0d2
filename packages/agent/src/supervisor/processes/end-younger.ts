import type { Clock } from '../../process/clock.ts'
import type { ProcessTable } from './process-table.ts'

/** For a command to clean up after itself. */
const GRACE_MS = 1_000
const LOOK_MS = 20

/**
 * Ends the processes that began at most `youngerMs` ago, and what they start meanwhile: SIGTERM, and SIGKILL after a
 * moment. Resolves with their number.
 *
 * @param spared the session's first process, however young it is
 */
export async function endYounger(
  table: ProcessTable,
  clock: Clock,
  { youngerMs, spared }: { youngerMs: number; spared: number | undefined },
): Promise<number> {
  const beganAt = clock.monotonic()
  const ended = new Set<number>()
  for (;;) {
    const waited = clock.monotonic() - beganAt
    const young = table.others().filter(({ pid }) => pid !== spared && table.ageMs(pid) <= youngerMs + waited)
    const isOver = waited >= GRACE_MS
    for (const { pid } of young) {
      if (isOver) table.signal(pid, 'SIGKILL')
      else if (!ended.has(pid)) table.signal(pid, 'SIGTERM')
      ended.add(pid)
    }
    if (young.length === 0 || isOver) return ended.size
    await clock.sleep(LOOK_MS)
  }
}
