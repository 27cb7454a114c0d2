const MASK = '*'

/**
 * Shorter "keys" are the placeholders that local model servers are given ("x", "none"): masking those would damage
 * ordinary text and protect nothing.
 */
const SHORTEST_SECRET = 8

export function maskText(text: string, key: string | null): string {
  return key && key.length >= SHORTEST_SECRET ? text.replaceAll(key, MASK.repeat(key.length)) : text
}

/**
 * Removes the key from a byte stream, in case an endpoint echoes it. Other bytes pass unchanged and at once; only the
 * end of a chunk that could be the start of the key is held back.
 */
export class KeyMask {
  #key: Buffer | null
  #held: Buffer = Buffer.alloc(0)

  constructor(key: string | null) {
    this.#key = key && key.length >= SHORTEST_SECRET ? Buffer.from(key) : null
  }

  push(chunk: Buffer): Buffer {
    const key = this.#key
    if (!key) return chunk
    const bytes = this.#held.byteLength > 0 ? Buffer.concat([this.#held, chunk]) : chunk
    for (let at = bytes.indexOf(key); at >= 0; at = bytes.indexOf(key, at + key.byteLength)) {
      bytes.fill(MASK, at, at + key.byteLength)
    }
    const keep = beginningAtEnd(bytes, key)
    this.#held = bytes.subarray(bytes.byteLength - keep)
    return bytes.subarray(0, bytes.byteLength - keep)
  }

  end(): Buffer {
    return this.#held
  }
}

/** Length of the longest suffix of `bytes` that is a proper prefix of `key`. */
function beginningAtEnd(bytes: Buffer, key: Buffer): number {
  const end = bytes.byteLength
  const earliest = Math.max(0, end - key.byteLength + 1)
  for (let at = bytes.indexOf(key[0]!, earliest); at >= 0; at = bytes.indexOf(key[0]!, at + 1)) {
    if (bytes.compare(key, 0, end - at, at, end) === 0) return end - at
  }
  return 0
}
