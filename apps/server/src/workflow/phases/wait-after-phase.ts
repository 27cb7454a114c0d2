import { waitOfKind } from '@beadloom/core/records/wait.ts'
import { storedOf, type LiveExecution } from '../../execution/live-execution.ts'
import { throwIfStopped } from '../../execution/stop.ts'
import { crashPoint } from '../../process/crash-point.ts'

/**
 * Waits until a person lets it continue and a slot is free. Nothing of it runs meanwhile: it has no container, no slot,
 * and its clock is stopped. After a restart of the server the wait continues.
 */
export async function waitAfterPhase(live: LiveExecution, after: number): Promise<void> {
  const { deps, stopper, watchdog, id } = live
  const { store } = deps
  const slots = deps.extraSlots.of(live.project.id)
  watchdog.hold()
  try {
    await store.waitAfterPhase(id, after)
    crashPoint('after-wait-stored')
    const stopped = new Promise<void>((resolve) => {
      if (stopper.signal.aborted) resolve()
      else stopper.signal.addEventListener('abort', () => resolve(), { once: true })
    })
    for (;;) {
      throwIfStopped(stopper)
      if (waitOfKind(storedOf(live).waits, 'phase')?.continued === true && slots.take(1) === 1) break
      await Promise.race([slots.afterRound(), stopped])
    }
    // From here on it has a slot of its own again.
    await store.endWait(id)
    slots.giveBack(1)
  } finally {
    watchdog.resume()
  }
}
