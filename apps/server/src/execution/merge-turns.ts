import type { Clock } from '../process/clock.ts'

/** A longer turn holds nobody back any more: its owner may wait for something that the others have. */
const LONGEST_MS = 30 * 60_000

/**
 * Turns at moving a branch, for work that others overtook again and again while its merge was verified. All others make
 * and verify merges as before, and wait before moving the branch.
 */
export class MergeTurns {
  readonly #clock: Clock
  /** By branch: the one that has the turn, then the next ones. Each ends by an abort. */
  readonly #turns = new Map<string, AbortController[]>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /**
   * Resolves when the turn is the caller's, or when `stop` aborts.
   *
   * @param branch with its project
   * @returns ends the turn, and has to be called either way
   */
  async take(branch: string, stop: AbortSignal): Promise<() => void> {
    const turns = this.#turns.get(branch) ?? []
    const [before, own] = [turns.at(-1), new AbortController()]
    this.#turns.set(branch, [...turns, own])
    if (before) await this.#over(before, stop)
    return () => {
      own.abort()
      const left = (this.#turns.get(branch) ?? []).filter((one) => one !== own)
      if (left.length > 0) this.#turns.set(branch, left)
      else this.#turns.delete(branch)
    }
  }

  /** Resolves when nobody has the turn or comes next, or when `stop` aborts. */
  async others(branch: string, stop: AbortSignal): Promise<void> {
    const last = this.#turns.get(branch)?.at(-1)
    if (last) await this.#over(last, stop)
  }

  #over(turn: AbortController, stop: AbortSignal): Promise<void> {
    return this.#clock.sleep(LONGEST_MS, AbortSignal.any([turn.signal, stop]))
  }
}
