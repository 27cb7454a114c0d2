/** More sessions than can be under way at once; the oldest are forgotten. */
const MOST_SESSIONS = 1000

/**
 * Counts the calls that only count tokens. They cost nothing, so no budget would end a loop of large ones; agents make a
 * few between two answers of their model.
 */
export class CountCalls {
  readonly #most: number
  readonly #made = new Map<string, number>()

  /** @param most calls of one session until its next answer */
  constructor(most: number) {
    this.#most = most
  }

  /** Whether this session may make another one; if so, it is counted. */
  enter(session: string): boolean {
    const made = this.#made.get(session) ?? 0
    if (made >= this.#most) return false
    this.#made.delete(session) // it becomes the newest
    this.#made.set(session, made + 1)
    const oldest = this.#made.keys().next().value
    if (this.#made.size > MOST_SESSIONS && oldest !== undefined) this.#made.delete(oldest)
    return true
  }

  answered(session: string): void {
    this.#made.delete(session)
  }
}
