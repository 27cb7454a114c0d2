import type { Clock } from '../../process/clock.ts'
import { EngineError } from '../../ports/engine.ts'
import { messageIn, statusOf } from './kube-error.ts'

/** Before the second and the third try: a kubelet that restarts is there a moment later. */
const PAUSES_MS = [250, 1_000]

/**
 * Repeats, a limited number of times, what the API server could not pass on to a node (500 to 504). The program may
 * have begun there all the same, so use this only for work that may be done twice, like everything that is run in pods.
 */
export async function again<T>(clock: Pick<Clock, 'sleep'>, work: () => Promise<T>): Promise<T> {
  for (const pause of PAUSES_MS) {
    try {
      return await work()
    } catch (error) {
      if (!wasNotPassedOn(error)) throw error
      await clock.sleep(pause)
    }
  }
  return work()
}

function wasNotPassedOn(error: unknown): boolean {
  const status = statusOf(error) ?? statusOfUpgrade(error)
  return status !== null && status >= 500 && status <= 504
}

/** A refusal of the cable itself has its number only in its words. */
function statusOfUpgrade(error: unknown): number | null {
  const said = messageIn(error instanceof EngineError ? error.cause : error)
  const [, status] = /^Unexpected server response: (\d{3})$/.exec(said) ?? []
  return status === undefined ? null : Number(status)
}
