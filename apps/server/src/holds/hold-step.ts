import type { LiveExecution } from '../execution/live-execution.ts'
import { throwIfStopped } from '../execution/stop.ts'
import { isPaused, pauseHold } from './pause-hold.ts'
import { untilFree } from './until-free.ts'

/** Keeps an execution that is paused from its next step: checks, a merge, another session. Throws if it is stopped. */
export async function holdStep(live: LiveExecution): Promise<void> {
  if (!isPaused(live)) return
  await untilFree(live, live.id, [pauseHold(live, null)], live.stopper.signal)
  throwIfStopped(live.stopper)
}
