/**
 * A piece of a spool. `from`: the offset of `bytes` from the spool's first byte; `ended`: the spool has nothing after
 * them and never will.
 */
export type SpoolPiece = { from: number; bytes: Uint8Array; ended: boolean }

/** The link waits until it has room for this many bytes, so that a spool can give whole records. */
export const LEAST_READ_BYTES = 32 * 1024

/**
 * The output of one session, numbered by its offset. The supervisor implements it, and the link reads it whenever the
 * server has room: output is pulled, never pushed.
 */
export interface Spool {
  /**
   * The bytes from `offset` on, at most `atMost` (which is at least `LEAST_READ_BYTES`). Contract:
   * - `from` is `offset`, unless those bytes have been dropped or lost: then it is the first offset that can still be
   *   read, and the link records the gap on the server. It is never below `offset`;
   * - no bytes and not `ended` means "nothing yet": the link waits for `watch`;
   * - the link keeps the bytes until they are sent and does not change them, so a buffer is not used again;
   * - one read at a time for each follower. Two servers in a row may each have one for a moment;
   * - a rejection cuts the output off with `refused`: the server knows that it does not have all of it.
   */
  read(offset: number, atMost: number): Promise<SpoolPiece> | SpoolPiece
  /** Calls `grown` after bytes were added and when the spool ends. Returns a function that removes the listener. */
  watch(grown: () => void): () => void
  /**
   * The server has stored everything below `offset` so that it survives the server's death: it will never ask for it
   * again, and the bytes may be dropped. Offsets only grow, and none is beyond the read bytes. They arrive in bursts,
   * about one for each write of the server's record.
   */
  acknowledged(offset: number): void
}

/** Null: there is no such spool (any more). The link answers the server with `refused`. */
export type FindSpool = (name: string) => Spool | null
