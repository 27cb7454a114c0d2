/** Bounds of one link, the same for both ends. In bytes, and in milliseconds during which the process ran. */

/** The largest window of a stream. */
export const MAX_WINDOW_BYTES = 1024 * 1024
/**
 * The window of a new stream. It doubles whenever it has been read, up to the largest. So streams that nobody reads
 * take only this much each.
 */
export const FIRST_WINDOW_BYTES = 64 * 1024
/** The total by which all windows of a link may grow beyond their first size. */
export const GROWN_WINDOWS_BYTES = 8 * 1024 * 1024
/** Streams that the other end may have open. */
export const MAX_STREAMS = 64
/** Kind and header of a stream as JSON. */
export const MAX_HEADER_BYTES = 4096
/** Bytes that a stream takes from its writer before they can be sent. */
export const WRITE_AHEAD_BYTES = 64 * 1024
/** Bytes that belong to no frame, since the link was taken. A prototype saw half a megabyte for an older server. */
export const MAX_SKIPPED_BYTES = 16 * 1024 * 1024
/** Gaps in one output. */
export const MAX_GAPS = 1000
/** Refusals and resets that wait for a stalled carrier. */
export const MAX_WAITING_RESETS = 1024

/** A preamble is repeated this often until it is answered. */
export const SYN_EVERY_MS = 500
/** The longest time for an answer: a busy container starts its supervisor within seconds. */
export const ANSWER_WITHIN_MS = 30_000
export const PING_EVERY_MS = 5_000
/**
 * A carrier without any frame for this long counts as dead, even if it stays open (a pulled cable). Long enough for a
 * supervisor whose container gets no processor: a carrier's end ends all its streams.
 */
export const SILENT_AFTER_MS = 60_000
/** After a broken frame the link is taken anew on the same carrier, at most this often in a minute. */
export const MAX_BREAKS = 8
export const BREAKS_WITHIN_MS = 60_000
