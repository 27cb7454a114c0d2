/** Tests that failed and did not pass after that, by what was printed of each: the counts of a run may be somebody else's. */
export class StillFailing {
  readonly names = new Set<string>()
  readonly #most: number

  constructor(most: number) {
    this.#most = most
  }

  add(name: string, hasFailed: boolean): void {
    if (!hasFailed) this.names.delete(name)
    else if (this.names.size < this.#most) this.names.add(name)
  }

  /**
   * How many failed. Counts that know of none were printed by something else than what printed the tests, unless there are
   * so many more tests that those which failed are what a test printed.
   *
   * @param said the failures that the counts know of
   * @param more how many more tests were printed than the counts know of
   */
  count(said: number, more: number): number {
    return said > 0 ? said : Math.max(0, this.names.size - Math.max(0, more))
  }
}
