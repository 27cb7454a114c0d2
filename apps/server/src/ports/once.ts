/**
 * How a command makes something exactly once for a request that may be sent again. The note of what was made is written
 * in the transaction that makes it, so that no crash can come between.
 */
export interface Once {
  /** The id of what this very request made earlier, without anybody having been told. Null: nothing. */
  readonly before: string | null
  /** Acts in one transaction with the note of what was made; null: nothing was. */
  make<T>(work: () => T, made: (result: T) => string | null): T
}

/** For requests without a key: each one acts. */
export const eachTime: Once = { before: null, make: (work) => work() }
