/**
 * Whether JSON has more values than this, without creating one: 16 MB of `[],[],…` would be 300 MB of lists. Each value
 * except the first follows a bracket or a comma. A text that is no JSON may be counted wrongly; it is refused anyway.
 */
export function hasMoreValues(json: string | Uint8Array, most: number): boolean {
  const codeAt = typeof json === 'string' ? (at: number) => json.charCodeAt(at) : (at: number) => json[at]
  const quoteFrom =
    typeof json === 'string' ? (at: number) => json.indexOf('"', at) : (at: number) => json.indexOf(QUOTE, at)
  let values = 1
  let texts = 0
  for (let at = 0; at < json.length; at++) {
    const code = codeAt(at)
    if (code === QUOTE) {
      // At most a value and its key each: more texts are no JSON.
      if (++texts > 2 * most) return true
      at = endOfText(at)
    } else if ((code === COMMA || code === LIST || code === OBJECT) && ++values > most) return true
  }
  return false

  /** The closing quote of the text that begins at `start`, or the end of the input. */
  function endOfText(start: number): number {
    for (let quote = quoteFrom(start + 1); quote !== -1; quote = quoteFrom(quote + 1)) {
      let slashes = 0
      while (codeAt(quote - 1 - slashes) === BACKSLASH) slashes += 1
      if (slashes % 2 === 0) return quote
    }
    return json.length
  }
}

const [QUOTE, BACKSLASH, COMMA, LIST, OBJECT] = [0x22, 0x5c, 0x2c, 0x5b, 0x7b]

/**
 * The value of a stranger's JSON, undefined if it is invalid. JSON with more values than `most` counts as invalid and
 * is never parsed: a hundred thousand values take 50 ms, in any form.
 */
export function valueWithin(text: string, most: number): unknown {
  if (hasMoreValues(text, most)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
