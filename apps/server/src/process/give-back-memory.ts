import { availableParallelism, loadavg } from 'node:os'
import type { Clock } from './clock.ts'
import { heapBytes } from './memory-use.ts'

const QUIET_MS = 15_000

/** Collects everything that is no longer needed, and gives its pages back to the system. */
type Collect = () => void

/** Node has it with `--expose-gc` (bin/server-command.mjs). It stops the program for a tenth of a second. */
const collectAll: Collect = () => void globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })

/**
 * V8 lets the heap grow by half before it looks for garbage in all of it: by 45 MB with 100,000 beads in memory. Nor
 * does it give back pages that this leaves half empty.
 */
const GROWN_BYTES = 16 * 1024 ** 2
/** A second collection compacts half-empty pages that the first has left: tried as long as it gives back this much. */
const WORTH_BYTES = 8 * 1024 ** 2

/** A plain collection, as V8 makes it anyway a little later: 30 ms of the thread for 100,000 beads. */
const sweepAll: Collect = () => void globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'regular' })

/** Whether the machine is idle enough. On a busy one, a full collection takes half a second, without any answers. */
export const isCalm = (): boolean => (loadavg()[0] ?? 0) < availableParallelism()

export type Heap = { collect: Collect; sweep: Collect; bytes: () => number }

const ofV8: Heap = { collect: collectAll, sweep: sweepAll, bytes: heapBytes }

/**
 * V8 keeps the memory of a start or of hard work while there is no other demand for it. When the server has been idle
 * for a quarter of a minute, gives it back, once for each idle time. On a server that is never idle, gives back as much
 * as plain collections do, once the heap has grown. Ends with `stop`.
 */
export async function giveBackMemory(
  isQuiet: () => boolean,
  clock: Pick<Clock, 'sleep'>,
  stop: AbortSignal,
  heap: Heap = ofV8,
): Promise<void> {
  let quiet = 0
  let least = 0
  /** The heap before the last sweep, if that was at the last look: pages are given back aside, a little later. */
  let before = 0
  while (!stop.aborted) {
    await clock.sleep(QUIET_MS, stop)
    if (stop.aborted) return
    quiet = isQuiet() ? quiet + 1 : 0
    const bytes = heap.bytes()
    least = Math.min(least, bytes)
    const isSweepDue = bytes - least >= GROWN_BYTES || before - bytes >= WORTH_BYTES
    before = 0
    if (quiet === 1) heap.collect()
    else if (quiet === 0 && isSweepDue) {
      before = bytes
      heap.sweep()
    } else continue
    least = heap.bytes()
  }
}
