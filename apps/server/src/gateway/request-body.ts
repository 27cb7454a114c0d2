import type { IncomingMessage } from 'node:http'
import { badRequest, callerGone, reasonOf, requestTooLarge, tooManyValues, type Problem } from './problem.ts'

/** `text` is what `json` was read from. */
export type RequestBody = { json: Record<string, unknown>; text: string; bytes: number } | { failed: Problem }

type Most = { requestBytes: number; requestValues: number }

/**
 * Reads a JSON object of at most so many bytes and values. A longer body is discarded as it arrives, up to four times the limit: a
 * client that is still sending when the connection closes never sees the answer that says why.
 */
export async function readBody(
  request: IncomingMessage,
  { requestBytes: limitBytes, requestValues }: Most,
  signal: AbortSignal,
): Promise<RequestBody> {
  const body = new Blocks()
  let size = 0
  const stop = () => request.destroy()
  signal.addEventListener('abort', stop, { once: true })
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.byteLength
      if (size > limitBytes) body.drop()
      else body.add(chunk)
      if (size > 4 * limitBytes) break
    }
  } catch {
    return { failed: signal.aborted ? reasonOf(signal) : callerGone }
  } finally {
    signal.removeEventListener('abort', stop)
  }
  if (size > limitBytes) return { failed: requestTooLarge(limitBytes) }
  const bytes = body.whole()
  return hasMoreValues(bytes, requestValues) ? { failed: tooManyValues(requestValues) } : parseObject(bytes)
}

const BLOCK_BYTES = 64 * 1024

/** Bytes as they come, copied: a client may send one at a time, and each would be an object of a hundred. */
class Blocks {
  #full: Buffer[] = []
  #last = Buffer.alloc(0)
  #used = 0

  add(chunk: Buffer): void {
    for (let at = 0; at < chunk.length;) {
      if (this.#used === this.#last.length) {
        this.#full.push(this.#last)
        this.#last = Buffer.allocUnsafeSlow(Math.max(BLOCK_BYTES, chunk.length - at))
        this.#used = 0
      }
      const copied = chunk.copy(this.#last, this.#used, at)
      this.#used += copied
      at += copied
    }
  }

  drop(): void {
    this.#full = []
    this.#last = Buffer.alloc(0)
    this.#used = 0
  }

  whole(): Buffer {
    return Buffer.concat([...this.#full, this.#last.subarray(0, this.#used)])
  }
}

/**
 * Whether the text has more values than this, without making one: 16 MB of `[],[],…` would be 300 MB of lists. Each value
 * but the first follows a bracket or a comma. What is no JSON may be counted wrongly; it is refused anyway.
 */
export function hasMoreValues(bytes: Buffer, most: number): boolean {
  let values = 1
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) at = endOfString(bytes, at)
    else if ((byte === COMMA || byte === LIST || byte === OBJECT) && ++values > most) return true
  }
  return false
}

const [QUOTE, BACKSLASH, COMMA, LIST, OBJECT] = [0x22, 0x5c, 0x2c, 0x5b, 0x7b]

/** The closing quote of the string that begins at `start`, or the end of it all. */
function endOfString(bytes: Buffer, start: number): number {
  for (let quote = bytes.indexOf(QUOTE, start + 1); quote !== -1; quote = bytes.indexOf(QUOTE, quote + 1)) {
    let slashes = 0
    while (bytes[quote - 1 - slashes] === BACKSLASH) slashes += 1
    if (slashes % 2 === 0) return quote
  }
  return bytes.length
}

function parseObject(bytes: Buffer): RequestBody {
  const text = bytes.toString('utf8')
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return { failed: badRequest('is not JSON') }
  }
  return isObject(json) ? { json, text, bytes: bytes.byteLength } : { failed: badRequest('is not a JSON object') }
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
