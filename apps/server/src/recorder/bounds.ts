import type { PaceBounds } from '@beadloom/core/time/pace.ts'

export type RecorderBounds = {
  /** Bytes kept from the beginning of a session's log. */
  logBytes: number
  /** Bytes of whole lines kept from its end if there is more. */
  tailBytes: number
  /** A longer line is split, visibly. */
  lineBytes: number
  /** Event rows of one session: a container that floods them must not fill the database. */
  events: number
  /** Bytes of JSON in these rows: long ones must not fill the database either, nor memory while they wait. */
  eventBytes: number
  /** Bytes of marks (times and streams of lines). Beyond that, only times are noted, and less often. */
  markBytes: number
  /** Bytes kept of the agent's own output, from its beginning. */
  agentBytes: number
  /** Bytes that may wait for the disk before reading pauses. */
  batchBytes: number
  /** Bytes of the end of a log that stay in memory while it is written, for readers that follow it. */
  recentBytes: number
  /** The pace at which output is committed, so that readers see it. */
  commits: PaceBounds
}

/** A session's record is complete up to 256 MiB; the other bounds protect memory and the people who read it. */
export const defaultBounds: RecorderBounds = {
  logBytes: 256 * 1024 ** 2,
  tailBytes: 1024 ** 2,
  lineBytes: 1024 ** 2,
  events: 50_000,
  eventBytes: 64 * 1024 ** 2,
  markBytes: 4 * 1024 ** 2,
  agentBytes: 64 * 1024 ** 2,
  batchBytes: 256 * 1024,
  recentBytes: 2 * 1024 ** 2,
  commits: { atOnce: 8, stepMs: 50 },
}

/** Agent text for BLOCKED detection (UTF-16 units), and command output for digests (see the recorder's port). */
export const MESSAGES_LENGTH = 256 * 1024
export const DIGEST_BYTES = 64 * 1024
/** Lines whose times differ by less share one: people cannot tell them apart, and it bounds marks to ten a second. */
export const MARK_MS = 100
/** The same once there are too many marks, so even a session of several days has times for all of its lines. */
export const SELDOM_MS = 10_000
/** The most of an unfinished line that a reader sees: its end, where a progress bar is. */
export const PARTIAL_BYTES = 8 * 1024
