import type { ExecutionEnd } from '@beadloom/core/execution/execution.ts'

/** Waits for all of them, whatever becomes of any: then what the first one threw, or the first end. */
export async function firstEnd(running: readonly Promise<ExecutionEnd | null>[]): Promise<ExecutionEnd | null> {
  const results = await Promise.allSettled(running)
  const broken = results.find(({ status }) => status === 'rejected')
  if (broken?.status === 'rejected') throw broken.reason
  return results.map((one) => (one.status === 'fulfilled' ? one.value : null)).find((end) => end !== null) ?? null
}

/** What must not happen twice at the same time: each waits for those before it. */
export class InTurn {
  #last: Promise<unknown> = Promise.resolve()

  take<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work, work)
    this.#last = turn.catch(() => {})
    return turn
  }
}
