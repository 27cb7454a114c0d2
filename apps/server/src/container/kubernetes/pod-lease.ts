import type { Clock } from '../../process/clock.ts'

/**
 * From the first try to reach a sandbox that came to nothing: with the 25 s in which its link is silent before anybody
 * tries, two minutes after its last word.
 */
const LEASE_MS = 95_000

/**
 * Sandboxes that the cluster still calls running and nobody reaches: their node is cut off, or its kubelet is away. One that
 * is not reached for as long as the lease is lost, whatever is heard of it later: another one does its work by then.
 */
export class PodLease {
  readonly #clock: Pick<Clock, 'monotonic'>
  readonly #missedSince = new Map<string, number>()
  readonly #lost = new Set<string>()

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock
  }

  /** A way to it is tried. That the cluster opens one says nothing: it does so before it asks the node. */
  tried(container: string): void {
    if (!this.#missedSince.has(container)) this.#missedSince.set(container, this.#clock.monotonic())
  }

  /** Something came from it. */
  heard(container: string): void {
    this.#missedSince.delete(container)
  }

  /** The cluster itself is away, which says nothing about any node. */
  nobodyAnswers(): void {
    this.#missedSince.clear()
  }

  isLost(container: string): boolean {
    const since = this.#missedSince.get(container)
    if (since !== undefined && this.#clock.monotonic() - since >= LEASE_MS) this.#lost.add(container)
    return this.#lost.has(container)
  }

  /** It is removed. */
  forget(container: string): void {
    this.#missedSince.delete(container)
    this.#lost.delete(container)
  }
}
