/** Time for the feed: a fake one drives the tests. `after` returns its own cancel. */
export type FeedClock = {
  /** Milliseconds UTC of this browser. */
  now(): number
  after(ms: number, run: () => void): () => void
}
