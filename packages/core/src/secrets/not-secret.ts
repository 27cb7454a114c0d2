/*
 * Texts that have the form of a key and are none: words that stand for one, and the keys of documentations. A text that is
 * refused wrongly costs a person a click; a key that is let through is public.
 */

/** Somebody's words for "put yours here". */
const STANDS_FOR =
  /example|sample|place.?holder|change.?(?:me|it|this)|your[_-]|[_-]your|[_-]here|insert|replace|redacted|dummy|fake|foo.?bar|lorem|not.?a.?(?:real|secret)|do.?not.?use|super.?secret|my.?secret|s3cr3t|hunter2|correct.?horse|test.?(?:key|token|secret|password)|(?:key|token|secret|password).?test/i

/** Nobody's key: it was typed from left to right. */
const TYPED =
  /abcdef|bcdefg|123456|234567|654321|qwerty|asdfgh|deadbeef|cafebabe|aabbcc|0a0b0c|a1b2c3|1a2b3c|(.)\1{5,}/i

/** A name, a call or a template in the place of the value. */
const REFERS =
  /\$\{|\$\(|\{\{|\}\}|<[^>]*>|%[({]|^[$%@]|process\.env|import\.meta|os\.(?:environ|getenv)|getenv|\benv\(|secrets?\.|ENC\[|^(?:data|file|arn|vault|op|ssm):/i

/** In the documentation of whoever gives them out. */
const KNOWN: ReadonlySet<string> = new Set([
  'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  'sk_test_4eC39HqLyjWDarjtT1zdp7dc',
  'sk_test_BQokikJOvBiI2HlWgH4olfQ2',
  'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==',
  'C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==',
  'dGhlIHNhbXBsZSBub25jZQ==',
  'x3JJHMbDL1EzLkh9GBhXDw==',
])

/** The token that jwt.io shows, whatever it is signed with. */
const JWT_IO = 'eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lI'

export const isPlaceholder = (secret: string): boolean =>
  KNOWN.has(secret) ||
  secret.includes(JWT_IO) ||
  STANDS_FOR.test(secret) ||
  TYPED.test(secret) ||
  REFERS.test(secret) ||
  new Set(secret).size < 6

/** A name in parts, as of a setting: "slf4j.verbosity", "x-request-id". */
export const isName = (secret: string): boolean => /^[a-z]+\d{0,2}[a-z]*(?:[._:/-][a-z]+\d{0,2}[a-z]*)*$/i.test(secret)

/** The body of a private key is hundreds of letters without a pattern; a documentation has dots there. */
export function isWholeKey(text: string): boolean {
  const body = text.replace(/-----[^-\n]{1,120}-----/g, '')
  const letters = body.replaceAll(/\\[nr]|[^A-Za-z0-9+/=]/g, '')
  return letters.length >= 40 && !/\.\.\.|…/.test(body) && !TYPED.test(letters.slice(0, 200)) && entropy(letters) >= 4
}

/** Bits for each letter. */
export function entropy(text: string): number {
  const counts = new Map<string, number>()
  for (const letter of text) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length)
  return bits
}

/** The digest of something, by the name beside it. */
export const isDigest = (secret: string, line: string): boolean =>
  /^[0-9a-f]{32,128}$/i.test(secret) &&
  /sha\d*|hash|commit|digest|checksum|revision|\brev\b|integrity|etag|md5/i.test(line)
