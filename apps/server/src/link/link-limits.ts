/** Bounds of one container's link. Times in milliseconds. */
export type LinkLimits = {
  /** Open connections. A further one is answered with 503 and closed. */
  connections: number
  /** Requests of one connection that wait for their answers; with more it is cut off. */
  requestsPerConnection: number
  /**
   * Requests at once whose bodies come in chunks, without a length. Each chunk costs half a kilobyte and some microseconds,
   * also one of a single byte. Git pushes large packs so, one at a time; models are asked with a length.
   */
  chunkedAtOnce: number
  /** For the rest of a body whose request has its answer already. Its client reads the answer after that. */
  restMs: number
  /** Requests to the hub that have a git process; further ones wait. */
  gitAtOnce: number
  /** From a connection's start, or the last answer's end, to the last byte of a request's headers. */
  headersMs: number
}

export const defaultLinkLimits: LinkLimits = {
  connections: 32,
  requestsPerConnection: 8,
  chunkedAtOnce: 2,
  restMs: 10_000,
  gitAtOnce: 4,
  headersMs: 15_000,
}
