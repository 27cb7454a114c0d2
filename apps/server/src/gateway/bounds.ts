/** Bounds of one model call. Times in milliseconds, sizes in bytes. */
export type GatewayBounds = {
  requestBytes: number
  /**
   * Values in a body, or in an answer in one piece (an empty list counts twice): small texts can become large objects.
   */
  requestValues: number
  /** For reading a body once that has begun. */
  bodyMs: number
  /** Calls of one container that are answered at the same time; further ones wait with their bodies unread. */
  callsAtOnce: number
  /** Bodies that are held for one container, from before they are read until the model answers. */
  containerBytes: number
  /** The same for all containers together. */
  serverBytes: number
  /** The longest wait of a call for these bounds before it is refused with 429. */
  admissionMs: number
  /** A streamed answer, which is passed on as it comes. */
  answerBytes: number
  /** An answer in one piece. */
  wholeAnswerBytes: number
  /** From the start of the call to the first byte of the answer's body: models think before they answer. */
  firstByteMs: number
  /** Between two bytes of an answer, counted only while the caller keeps up. */
  idleMs: number
  /** The whole call, with all retries and waits. */
  totalMs: number
  /** The most retries of a failed call. */
  retries: number
  backoffBaseMs: number
  backoffCapMs: number
  /** A longer `Retry-After` of a server error is not waited out: the call ends and says how long it is. */
  longestWaitMs: number
  /** From this wait on, a model cools down for every session. Shorter waits concern only the call itself. */
  cooldownFromMs: number
  /** A reset further ahead is not believed; after this time the model is asked again. */
  longestCooldownMs: number
  /** The most cooldowns that one call waits out before it gives up. */
  cooldowns: number
  /** The most calls for one step of an agent without a whole answer, over all retries: each call may be billed. */
  callsPerStep: number
  /** Calls of one session that only count tokens, until its next answer of a model: they use up no budget. */
  countsPerAnswer: number
  /** Calls of one session that may wait at the same time. */
  waitingCalls: number
  /** Between two signs of life to a waiting caller. */
  keepAliveMs: number
  /** After a cooldown, waiting sessions call within this time rather than all at once. */
  spreadMs: number
}

export const defaultGatewayBounds: GatewayBounds = {
  requestBytes: 16 * 1024 ** 2,
  requestValues: 500_000,
  bodyMs: 90_000,
  callsAtOnce: 16,
  containerBytes: 32 * 1024 ** 2,
  serverBytes: 48 * 1024 ** 2,
  admissionMs: 30_000,
  answerBytes: 64 * 1024 ** 2,
  wholeAnswerBytes: 16 * 1024 ** 2,
  // Node's fetch, which most agents use, gives up after 300 s without headers and says only "fetch failed". This limit
  // comes first, with a message that says what happened.
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
  callsPerStep: 6,
  countsPerAnswer: 200,
  waitingCalls: 32,
  keepAliveMs: 15_000,
  spreadMs: 2000,
}
