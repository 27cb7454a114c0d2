/** The number of executions that each engine takes at once. */
export interface SlotCapacity {
  /** The names of the engines that may have slots. */
  readonly engines: readonly string[]
  /**
   * The number now: set by somebody, or the engine's room, which may change at any time; 0 while unknown, and for an
   * engine that is not there. Asks nobody; never throws. A number below the slots in use ends nothing that runs.
   */
  of(engine: string): number
}
