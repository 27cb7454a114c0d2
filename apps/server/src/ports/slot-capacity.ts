/** How many executions each engine takes at once. */
export interface SlotCapacity {
  /** By their names, those that may have slots. */
  readonly engines: readonly string[]
  /**
   * Now: a number that somebody has set, or what the engine has room for, which may change at any time; 0 while nobody knows, and
   * for an engine that is not there. Asks nobody; never throws. Less than are in use ends nothing that runs.
   */
  of(engine: string): number
}
