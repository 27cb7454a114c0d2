import type { ExecutionEnd } from '@beadloom/core/execution/execution.ts'
import type { ProjectSlots } from '../../execution/extra-slots.ts'

type End = ExecutionEnd | null

export type SubtaskPool = {
  /** Beside the execution's own slot, which is the first one. */
  slots: Pick<ProjectSlots, 'take' | 'tooMany' | 'hold' | 'giveBack' | 'afterRound'>
  /** Ids of those that may start beside those at work, in order. Asked each time, of what is stored. */
  startable: (running: ReadonlySet<string>) => string[]
  start: (id: string) => Promise<End>
}

/**
 * Runs subtasks side by side. Each starts when those before it have ended and a slot is free. Slots that were taken
 * are kept while there is something to start. One that ends the execution, or breaks, lets those at work end; nothing
 * starts after it.
 *
 * @param atWork those that are at work already, after a restart
 * @returns the first end; null: all of them left something, and what comes next is decided from what is stored
 */
export async function inParallel(
  { slots, startable, start }: SubtaskPool,
  atWork: ReadonlyMap<string, () => Promise<End>> = new Map(),
): Promise<End> {
  const running = new Map<string, Promise<void>>()
  let end: End = null
  let broken: { error: unknown } | null = null
  const begin = (id: string, work: () => Promise<End>): void => {
    const done = work().then(
      (its) => void (end ??= its),
      (error: unknown) => void (broken ??= { error }),
    )
    running.set(
      id,
      done.finally(() => running.delete(id)),
    )
  }
  for (const [id, work] of atWork) begin(id, work)
  let held = Math.max(0, running.size - 1)
  slots.hold(held)
  try {
    const giveBack = (count: number): void => {
      slots.giveBack(count)
      held -= count
    }
    const spare = (): number => held - Math.max(0, running.size - 1)
    for (;;) {
      giveBack(Math.min(spare(), slots.tooMany))
      let isShort = false
      const next = end === null && broken === null ? startable(new Set(running.keys())) : []
      for (const id of next) {
        if (running.size > held) {
          const taken = slots.take(1)
          held += taken
          isShort = taken === 0
        }
        if (isShort) break
        begin(id, () => start(id))
      }
      giveBack(spare())
      if (running.size === 0) break
      await Promise.race([...running.values(), ...(isShort ? [slots.afterRound()] : [])])
    }
  } finally {
    slots.giveBack(held)
  }
  if (broken !== null) throw (broken as { error: unknown }).error
  return end
}
