import type { Clock } from '../../process/clock.ts'
import type { ProcessTable } from './process-table.ts'

/** A killed process is gone within a millisecond or two, unless it has much memory to give back. */
const PAUSE_MS = 2
const LATER_PAUSE_MS = 50
/** After these rounds a process that forks faster than we look is killed with everybody else in one go. */
const ROUNDS_ONE_BY_ONE = 10
/** A process that the kernel does not end within about half a minute hangs in a disk or a device. */
const MOST_ROUNDS = 600

/**
 * Kills everything that is alive in the sandbox beside its supervisor, until nothing is left. `killed`: their number;
 * `left`: the number that the kernel does not end; nothing more can be done about them from inside.
 */
export async function endAll(table: ProcessTable, clock: Clock): Promise<{ killed: number; left: number }> {
  const killed = new Set<number>()
  for (let round = 0; ; round++) {
    const others = table.others()
    if (others.length === 0 || round >= MOST_ROUNDS) return { killed: killed.size, left: others.length }
    for (const { pid } of others) killed.add(pid)
    if (round < ROUNDS_ONE_BY_ONE) others.forEach(({ pid }) => table.signal(pid, 'SIGKILL'))
    else table.killAll()
    await clock.sleep(round < ROUNDS_ONE_BY_ONE ? PAUSE_MS : LATER_PAUSE_MS)
  }
}
