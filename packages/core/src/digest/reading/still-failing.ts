/** Tests that failed and did not pass later, by their printed lines: the counts of a run may be from something else. */
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
   * The number of failures. If the counts have no failures, something else printed them. But if many more tests were
   * printed than counted, a test printed the failed ones.
   *
   * @param said the number of failures in the counts
   * @param more the number of tests printed beyond those counted
   */
  count(said: number, more: number): number {
    return said > 0 ? said : Math.max(0, this.names.size - Math.max(0, more))
  }
}
