/** Bounds of the ways out. Times in milliseconds. */
export type EgressBounds = {
  /** Connections of one sandbox. A further one is answered with 503; the sandbox's own end lets 24 through at once. */
  connections: number
  /** Connections of all sandboxes together: each is a socket of this process. */
  allConnections: number
  /** From a connection's start, or its last answer's end, to the last byte of a request's headers. */
  headersMs: number
  /** Bytes of a request's headers, bounded by Node itself. */
  headerBytes: number
  /** Requests of one connection that wait for their answers; with more it is cut off. */
  requestsPerConnection: number
  resolveMs: number
  connectMs: number
  /** The longest time without a byte either way. */
  idleMs: number
  /** The bytes that one session may send and receive. */
  bytes: number
  /** The pause between checks of these two: they may be exceeded for so long. */
  lookMs: number
}

export const defaultEgressBounds: EgressBounds = {
  connections: 32,
  allConnections: 256,
  headersMs: 15_000,
  headerBytes: 16 * 1024,
  requestsPerConnection: 4,
  resolveMs: 10_000,
  connectMs: 10_000,
  idleMs: 120_000,
  bytes: 20 * 1024 ** 3,
  lookMs: 1_000,
}
