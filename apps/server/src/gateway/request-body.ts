import type { IncomingMessage } from 'node:http'
import { membersOf, type Member } from '@beadloom/core/text/json-members.ts'
import { isObject } from '@beadloom/core/text/json-object.ts'
import { hasMoreValues } from '@beadloom/core/text/json-values.ts'
import { badRequest, callerGone, reasonOf, requestTooLarge, tooManyValues, type Problem } from './problem.ts'

/** A JSON object as it came. Nothing of it is parsed before it is needed: it may be large. */
export type RequestBody = {
  bytes: Buffer
  /** As offsets into `bytes`. */
  members: readonly Member[]
  /** The value of a member, undefined without it. */
  value: (key: string) => unknown
  whole: () => Record<string, unknown>
}

type Most = { requestBytes: number; requestValues: number }

/**
 * Reads a JSON object of at most so many bytes and values. A longer body is discarded as it arrives, up to four times
 * the limit: a client that is still sending when the connection closes never sees the answer with the reason.
 */
export async function readBody(
  request: IncomingMessage,
  { requestBytes: limitBytes, requestValues }: Most,
  signal: AbortSignal,
): Promise<RequestBody | { failed: Problem }> {
  const body = new Blocks(expected(request, limitBytes))
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
  return hasMoreValues(bytes, requestValues) ? { failed: tooManyValues(requestValues) } : parseBody(bytes)
}

/** The length in the headers; 0 if it is missing or too large. */
function expected({ headers }: IncomingMessage, most: number): number {
  const said = Number(headers['content-length'])
  return Number.isSafeInteger(said) && said > 0 && said <= most ? said : 0
}

const BLOCK_BYTES = 64 * 1024

/** Bytes as they come, copied: a client may send one at a time, and each would be an object of a hundred. */
class Blocks {
  #full: Buffer[] = []
  #last: Buffer
  #used = 0

  /** `expected`: allocated at once; it takes memory only as bytes come. */
  constructor(expected: number) {
    this.#last = Buffer.allocUnsafeSlow(expected)
  }

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
    const last = this.#last.subarray(0, this.#used)
    return this.#full.every(({ length }) => length === 0) ? last : Buffer.concat([...this.#full, last])
  }
}

/**
 * Finds the members with every byte read as a character. The text then takes half the memory, its structure stays the
 * same, since all of that is ASCII, and an offset into the text is one into the bytes.
 */
export function parseBody(bytes: Buffer): RequestBody | { failed: Problem } {
  const structure = bytes.toString('latin1')
  try {
    if (!isObject(JSON.parse(structure))) return { failed: badRequest('is not a JSON object') }
  } catch {
    return { failed: badRequest('is not JSON') }
  }
  const members = membersOf(structure)
  const value = (key: string): unknown => {
    const found = members.findLast((member) => member.key === key) // the last one counts, as in every parser
    return found && JSON.parse(bytes.toString('utf8', found.valueStart, found.valueEnd))
  }
  return { bytes, members, value, whole: () => JSON.parse(bytes.toString('utf8')) as Record<string, unknown> }
}
