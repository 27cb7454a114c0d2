export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue }
/** At most `MAX_HEADER_BYTES` as JSON. Larger data (a session's order, a file) belongs in the stream's bytes. */
export type Header = { readonly [key: string]: JsonValue }

/** The purpose of a stream: a word such as `http`, `session`, `file`. At most 32 of a–z, 0–9 and `-`. */
export type StreamKind = string

/**
 * A stream that the other end has opened. `Stream` is the byte stream of the platform: in Node a half-open `Duplex`:
 * each direction ends on its own.
 *
 * - Its readable side gives the other end's bytes and ends after the other end has ended. If nobody reads, bytes do not
 *   pile up: after a window of them (1 MiB at most) the writer waits.
 * - Its writable side takes bytes as any stream does (`write` is false: wait for `drain`); `end` ends this direction.
 * - `destroy` resets it. After `end`, written bytes still arrive, and only the other direction is cut off.
 * - It does not survive its server. When the carrier is lost or another server takes over, it is destroyed with a
 *   `StreamReset` of the reason `lost`; the next server opens its streams anew, so orders have to be safe to repeat.
 */
export type IncomingStream<Stream> = { kind: StreamKind; header: Header; stream: Stream }

/** A handler that throws or rejects resets only its stream. */
export type TakeStream<Stream> = (incoming: IncomingStream<Stream>) => void
