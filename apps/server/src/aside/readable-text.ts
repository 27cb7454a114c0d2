/** The bytes in which git looks for a zero to tell a binary file. */
const LOOKED_AT = 8_000
/**
 * The share of characters with a zero byte on one side from which a text is UTF-16: a language may use little ASCII.
 */
const LEAST_ZEROS = 0.2

/**
 * Decodes a file that git takes for binary as UTF-8 without its zero bytes and, if it looks like UTF-16 (with or
 * without a mark, as PowerShell writes it), as UTF-16, too: UTF-16 at the beginning hides no ASCII that follows.
 */
export function readableTexts(bytes: Uint8Array): string[] {
  const encoding = encodingOf(bytes)
  const plain = decoded(bytes, 'utf-8')
  return encoding === 'utf-8' ? [plain] : [decoded(bytes, encoding), plain]
}

const decoded = (bytes: Uint8Array, encoding: string): string =>
  new TextDecoder(encoding).decode(bytes).replaceAll('\0', '')

function encodingOf(bytes: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  const [first = 0, second = 0, third, fourth] = bytes
  // UTF-32's mark begins like UTF-16's: its letters are found without their zero bytes.
  if (first === 0xff && second === 0xfe) return third === 0 && fourth === 0 ? 'utf-8' : 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  const zeros = [0, 0]
  const some = bytes.subarray(0, LOOKED_AT)
  for (let at = 0; at < some.length; at++) if (some[at] === 0) zeros[at % 2]! += 1
  const [even, odd] = [zeros[0]!, zeros[1]!]
  const least = (some.length / 2) * LEAST_ZEROS
  if (odd >= least && odd > 10 * even) return 'utf-16le'
  return even >= least && even > 10 * odd ? 'utf-16be' : 'utf-8'
}
