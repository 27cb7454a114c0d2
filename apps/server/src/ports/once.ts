/**
 * Makes something exactly once for a request that may be sent again: what was made is noted in the same transaction, so
 * that no crash can come between.
 */
export interface Once {
  /** The id of what this request made earlier, when its answer was lost. Null: nothing yet. */
  readonly before: string | null
  /** Acts in one transaction with the note of what was made; null: nothing was. */
  make<T>(work: () => T, made: (result: T) => string | null): T
}

/** For requests without a key: each one acts. */
export const eachTime: Once = { before: null, make: (work) => work() }
