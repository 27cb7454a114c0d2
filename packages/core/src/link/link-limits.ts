/** Bounds of one link, the same for both ends. Bytes, and milliseconds of the time in which the process ran. */

/** The largest window of a stream. */
export const MAX_WINDOW_BYTES = 1024 * 1024
/**
 * The window of a new stream. It doubles whenever it has been read, up to the largest: whoever opens many streams that
 * nobody reads fills this much of each.
 */
export const FIRST_WINDOW_BYTES = 64 * 1024
/** What the windows of a link may be larger by than the first ones, all together. */
export const GROWN_WINDOWS_BYTES = 8 * 1024 * 1024
/** Streams that the other end may have open. */
export const MAX_STREAMS = 64
/** Kind and header of a stream as JSON. */
export const MAX_HEADER_BYTES = 4096
/** What a stream takes from its writer beyond what was sent. */
export const WRITE_AHEAD_BYTES = 64 * 1024
/** Bytes that belong to no frame, since the link was taken. A prototype saw half a megabyte of an older server's. */
export const MAX_SKIPPED_BYTES = 16 * 1024 * 1024
/** Gaps in one output. */
export const MAX_GAPS = 1000
/** Refusals and resets that wait for a carrier which takes nothing. */
export const MAX_WAITING_RESETS = 1024

/** A preamble is repeated this often until it is answered. */
export const SYN_EVERY_MS = 500
/** How long an answer may take: a busy container starts its supervisor within seconds. */
export const ANSWER_WITHIN_MS = 30_000
export const PING_EVERY_MS = 5_000
/**
 * Without any frame for this long the carrier counts as dead, also where it stays open (a pulled cable). Long enough for a
 * supervisor whose container gets no processor: all its streams end with it.
 */
export const SILENT_AFTER_MS = 60_000
/** The link is taken anew on the same carrier after a broken frame, this often in a minute. */
export const MAX_BREAKS = 8
export const BREAKS_WITHIN_MS = 60_000
