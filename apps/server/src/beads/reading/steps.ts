import { setImmediate } from 'node:timers/promises'

/** Work in steps of some milliseconds. */
export type Steps<T> = Generator<void, T>

/** Does the work, with a turn for others after each step. */
export async function inTurns<T>(steps: Steps<T>): Promise<T> {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
    await setImmediate()
  }
}
