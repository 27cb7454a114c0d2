import type { Clock } from '../../process/clock.ts'
import { EngineError } from '../../ports/engine.ts'
import { messageIn, statusOf } from './kube-error.ts'

/** Before the second and the third try: a kubelet that starts again is there a moment later. */
const PAUSES_MS = [250, 1_000]

/**
 * Tries once more what the API server could not pass on to a node (500 to 504), a bounded number of times. The program may
 * have begun there all the same, so only what may be done twice is tried twice; all that is run in pods is of that kind.
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

/** A refusal of the cable itself has its number in its words alone. */
function statusOfUpgrade(error: unknown): number | null {
  const said = messageIn(error instanceof EngineError ? error.cause : error)
  const [, status] = /^Unexpected server response: (\d{3})$/.exec(said) ?? []
  return status === undefined ? null : Number(status)
}
