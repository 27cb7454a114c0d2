/** Bounds of one container's link. Times in milliseconds. */
export type LinkBounds = {
  /** Open connections. A further one is answered with 503 and closed. */
  connections: number
  /** Requests of one connection that wait for their answers; with more it is cut off. */
  requestsPerConnection: number
  /**
   * Requests at once whose bodies come in chunks, without a length. Each chunk costs half a kilobyte and some
   * microseconds, even if it is a single byte. Git pushes large packs in this way, one at a time; calls of models have
   * a length.
   */
  chunkedAtOnce: number
  /** For the rest of a body whose request was answered already. The client reads the answer only after it. */
  restMs: number
  /** Requests to the hub that have a git process at once; further ones wait. */
  gitAtOnce: number
  /** From a connection's start, or the last answer's end, to the last byte of a request's headers. */
  headersMs: number
}

export const defaultLinkBounds: LinkBounds = {
  connections: 32,
  requestsPerConnection: 8,
  chunkedAtOnce: 2,
  restMs: 10_000,
  gitAtOnce: 4,
  headersMs: 15_000,
}
