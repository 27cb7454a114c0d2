/** The interval in which a process notes that it runs. */
export const BEAT_MS = 1_000
/** If a note is more than two intervals late, the process did not run in between. */
const LATEST_BEAT_MS = 3 * BEAT_MS

/**
 * Counts the time in which a process ran. The monotonic clock also counts while it does not run: SIGSTOP (Ctrl-Z), a
 * frozen container, a paused virtual machine. A suspended Linux machine stops the monotonic clock itself, with the same
 * effect. The caller has to look at it every `BEAT_MS`; the first look after a pause notices it. A pause of less than
 * three seconds looks like a busy moment and counts.
 */
export class AwakeTime {
  #seenAt: number
  #pausedMs = 0
  #pauses = 0

  /** @param now milliseconds of the monotonic clock */
  constructor(now: number) {
    this.#seenAt = now
  }

  /** The number of pauses in which the process did not run. */
  get pauses(): number {
    return this.#pauses
  }

  /** Milliseconds of the monotonic clock without the pauses. */
  at(now: number): number {
    const unseen = now - this.#seenAt
    if (unseen > LATEST_BEAT_MS) {
      // One interval counts: otherwise time would stand still for a process that is always late.
      this.#pausedMs += unseen - BEAT_MS
      this.#pauses += 1
    }
    this.#seenAt = Math.max(this.#seenAt, now)
    return this.#seenAt - this.#pausedMs
  }
}
