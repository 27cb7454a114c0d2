/** Bounds of one model call. Times in milliseconds, sizes in bytes. */
export type GatewayLimits = {
  requestBytes: number
  answerBytes: number
  /** From the start of the call to the first byte of its answer, behind the headers: models think before they speak. */
  firstByteMs: number
  /** Between two bytes of an answer, counted only while the caller keeps up. */
  idleMs: number
  /** The whole call, with every retry and wait. */
  totalMs: number
  /** Calls after the first one. */
  retries: number
  backoffBaseMs: number
  backoffCapMs: number
  /** A `Retry-After` longer than this is not waited for: the call ends and says how long the endpoint asks for. */
  longestWaitMs: number
}

export const defaultGatewayLimits: GatewayLimits = {
  requestBytes: 16 * 1024 ** 2,
  answerBytes: 64 * 1024 ** 2,
  // Node's fetch, on our side and on that of most agents, gives up after 300 s without headers and then says only
  // "fetch failed". Ours comes first, to say what happened.
  firstByteMs: 290_000,
  idleMs: 120_000,
  totalMs: 20 * 60_000,
  retries: 3,
  backoffBaseMs: 1000,
  backoffCapMs: 60_000,
  longestWaitMs: 240_000,
}
