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
  /** A server error's `Retry-After` that is longer is not waited for: the call ends and says how long it asks for. */
  longestWaitMs: number
  /** A model that asks to wait at least this long cools down for every session. Shorter waits are the call's own. */
  cooldownFromMs: number
  /** No reset further ahead is believed; after this the model is asked again. */
  longestCooldownMs: number
  /** How many cooldowns one call waits out before it gives up. */
  cooldowns: number
  /** Calls of one session that may wait at the same time. */
  waitingCalls: number
  /** Between two signs of life to a caller that waits. */
  keepAliveMs: number
  /** Sessions that waited for the same moment ask within this time after it, not all at once. */
  spreadMs: number
}

export const defaultGatewayLimits: GatewayLimits = {
  requestBytes: 16 * 1024 ** 2,
  answerBytes: 64 * 1024 ** 2,
  // Node's fetch, which most agents use, gives up after 300 s without headers and then says only "fetch failed". Ours
  // comes first, to say what happened.
  firstByteMs: 290_000,
  idleMs: 60_000,
  totalMs: 20 * 60_000,
  retries: 3,
  backoffBaseMs: 1000,
  backoffCapMs: 60_000,
  longestWaitMs: 240_000,
  cooldownFromMs: 5000,
  longestCooldownMs: 6 * 3_600_000,
  cooldowns: 50,
  waitingCalls: 32,
  keepAliveMs: 15_000,
  spreadMs: 2000,
}
