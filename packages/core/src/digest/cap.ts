/** Hard cap of a digest in characters, about 500 tokens. */
export const DIGEST_LIMIT = 2000

/** Cuts a text that is too long for a digest, and adds a note that it was cut. */
export function capDigest(text: string, limit = DIGEST_LIMIT): string {
  if (text.length <= limit) return text
  return `${text.slice(0, limit).toWellFormed()}\n...(truncated, showing first ${limit} chars)`
}
