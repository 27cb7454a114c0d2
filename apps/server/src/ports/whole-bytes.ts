/** A text as a whole, in any encoding: a file's, or (`path` '') what a commit says of itself. */
export type WholeBytes = { commit: string; path: string; bytes: Uint8Array }
