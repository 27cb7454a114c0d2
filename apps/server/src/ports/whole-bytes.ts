/** A whole text in any encoding: a file's, or (`path` '') a commit's message and names. */
export type WholeBytes = { commit: string; path: string; bytes: Uint8Array }
