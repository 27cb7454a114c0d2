export const FIRST_DELAY_MS = 250
export const LONGEST_DELAY_MS = 10_000

/** Full jitter: every client waits a different part of the window, so a restarted server is not met by all at once. */
export const retryDelay = (attempt: number, random: number): number =>
  Math.round(random * Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(attempt, 10)))
