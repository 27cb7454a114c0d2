export type RecorderLimits = {
  /** Bytes of a session's log that are kept from its beginning. */
  logBytes: number
  /** Bytes of whole lines that are kept from its end when there is more. */
  tailBytes: number
  /** A longer line is split, visibly. */
  lineBytes: number
  /** Rows a session may write to the events: a container that floods them must not fill the database. */
  events: number
  /** Bytes of what is noted beside the lines, until only the times are noted, and those seldom. */
  markBytes: number
  /** Bytes of what an agent printed itself that are kept from its beginning. */
  agentBytes: number
  /** Bytes that wait for the disk before reading stops for it. */
  batchBytes: number
  /** Bytes of the end of a log that stay in memory while it is written, for those who follow it. */
  recentBytes: number
  /** Milliseconds that output waits for its checkpoint, and a reader for output. */
  batchMs: number
}

/** 256 MiB is what a session's record is complete up to; the rest is for people and memory. */
export const defaultLimits: RecorderLimits = {
  logBytes: 256 * 1024 ** 2,
  tailBytes: 1024 ** 2,
  lineBytes: 1024 ** 2,
  events: 50_000,
  markBytes: 4 * 1024 ** 2,
  agentBytes: 64 * 1024 ** 2,
  batchBytes: 256 * 1024,
  recentBytes: 2 * 1024 ** 2,
  batchMs: 50,
}

/** Agent text for BLOCKED detection, and command output for digests (see the recorder's port). */
export const MESSAGES_LENGTH = 256 * 1024
export const DIGEST_BYTES = 64 * 1024
/** Lines whose times differ by less share one: what people can tell apart, and no more than ten entries a second. */
export const MARK_MS = 100
/** The same once there are too many marks: a session that lasts for days has a time for every line all the same. */
export const SELDOM_MS = 10_000
/** How much of an unfinished line a reader is shown: its end, because that is where a progress bar is. */
export const PARTIAL_BYTES = 8 * 1024
