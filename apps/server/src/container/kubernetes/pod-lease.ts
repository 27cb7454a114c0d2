import type { Clock } from '../../process/clock.ts'

/**
 * Counted from the first failed try to reach a sandbox. Its link is silent for 25 s before anybody tries, so together
 * that is two minutes after its last word.
 */
const LEASE_MS = 95_000

/**
 * Sandboxes that the cluster still calls running, but nobody reaches: their node is cut off, or its kubelet is away. A
 * sandbox that is out of reach for the length of the lease is lost, even if it is heard later: by then another one does
 * its work.
 */
export class PodLease {
  readonly #clock: Pick<Clock, 'monotonic'>
  readonly #missedSince = new Map<string, number>()
  readonly #lost = new Set<string>()

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock
  }

  /** Notes a try to reach it. If the cluster opens a way, that proves nothing: it does so before it asks the node. */
  tried(container: string): void {
    if (!this.#missedSince.has(container)) this.#missedSince.set(container, this.#clock.monotonic())
  }

  /** Notes that something came from it. */
  heard(container: string): void {
    this.#missedSince.delete(container)
  }

  /** Notes that the cluster itself is away, which says nothing about any node. */
  nobodyAnswers(): void {
    this.#missedSince.clear()
  }

  isLost(container: string): boolean {
    const since = this.#missedSince.get(container)
    if (since !== undefined && this.#clock.monotonic() - since >= LEASE_MS) this.#lost.add(container)
    return this.#lost.has(container)
  }

  /** Forgets a removed one. */
  forget(container: string): void {
    this.#missedSince.delete(container)
    this.#lost.delete(container)
  }
}
