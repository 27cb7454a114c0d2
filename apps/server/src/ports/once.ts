/**
 * Makes something exactly once for a request that may be sent again: its id is noted in the same transaction, so that
 * no crash can come between.
 */
export interface Once {
  /** The id that this request's first try made, when its answer was lost. Null: nothing yet. */
  readonly before: string | null
  /** Acts, and notes the id of the result, in one transaction; null: nothing was made. */
  make<T>(work: () => T, made: (result: T) => string | null): T
}

/** For requests without a key: each one acts. */
export const eachTime: Once = { before: null, make: (work) => work() }
