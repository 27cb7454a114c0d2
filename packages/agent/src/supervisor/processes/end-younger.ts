import type { Clock } from '../../process/clock.ts'
import type { ProcessState, ProcessTable } from './process-table.ts'

/** For a command to clean up after itself. */
const GRACE_MS = 1_000
const LOOK_MS = 20

/**
 * Ends the processes that began at most `youngerMs` ago, and what they start meanwhile: SIGTERM, and SIGKILL after a
 * moment. Resolves with their number. What an older orphan starts stays, as it does itself: a server in the background
 * starts processes all the time.
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
    const all = table.others()
    const isYoung = (pid: number): boolean => pid !== spared && table.ageMs(pid) <= youngerMs + waited
    const young = all.filter(({ pid }) => isYoung(pid) && !isOfOrphan(pid, all, isYoung, spared))
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

/** Whether a process has an older ancestor that is not of the session's agent any more. */
function isOfOrphan(
  pid: number,
  all: readonly ProcessState[],
  isYoung: (pid: number) => boolean,
  first: number | undefined,
): boolean {
  const known = new Map(all.map((one) => [one.pid, one]))
  let isOfOlder = false
  const seen = new Set<number>()
  for (let one = known.get(pid); one && !seen.has(one.pid); one = known.get(one.parent)) {
    seen.add(one.pid)
    if (one.pid === first) return false
    isOfOlder ||= !isYoung(one.pid)
  }
  return isOfOlder
}
