import type { ExecutionEnd } from '@beadloom/core/records/execution.ts'
import type { ProjectSlots } from '../../execution/extra-slots.ts'

type End = ExecutionEnd | null

export type SubtaskPool = {
  /** Beside the execution's own slot, which is the first one. */
  slots: Pick<ProjectSlots, 'take' | 'tooMany' | 'hold' | 'giveBack' | 'afterRound'>
  /** Ids of those that may start beside the running ones, in order. Asked each time, from the stored facts. */
  startable: (running: ReadonlySet<string>) => string[]
  start: (id: string) => Promise<End>
}

/**
 * Runs subtasks side by side. Each starts when those before it have ended and a slot is free. Taken slots are kept
 * while there is something to start. If one ends the execution, or breaks, the running ones still finish; nothing
 * starts after it.
 *
 * @param atWork those that run already, after a restart
 * @returns the first end; null: all of them left something, and the stored facts decide the next step
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
