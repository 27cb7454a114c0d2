/*
 * Texts that have the form of a key and are none: placeholders, and the keys of documentation. A wrong refusal costs a
 * person a click; a key that is let through is public.
 */

/** Placeholders: words for "put yours here". */
const STANDS_FOR =
  /example|sample|place.?holder|change.?(?:me|it|this)|your[_-]|[_-]your|[_-]here|insert|replace|redacted|dummy|fake|foo.?bar|lorem|not.?a.?(?:real|secret)|do.?not.?use|super.?secret|my.?secret|s3cr3t|hunter2|correct.?horse|test.?(?:key|token|secret|password)|(?:key|token|secret|password).?test/i

/** Not a real key: typed from left to right. */
const TYPED =
  /abcdef|bcdefg|123456|234567|654321|qwerty|asdfgh|deadbeef|cafebabe|aabbcc|0a0b0c|a1b2c3|1a2b3c|(.)\1{5,}/i

/** A name, a call or a template instead of a value. */
const REFERS =
  /\$\{|\$\(|\{\{|\}\}|<[^>]*>|%[({]|^[$%@]|process\.env|import\.meta|os\.(?:environ|getenv)|getenv|\benv\(|secrets?\.|ENC\[|^(?:data|file|arn|vault|op|ssm):/i

/** Keys from their makers' documentation. */
const KNOWN: ReadonlySet<string> = new Set([
  'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  'sk_test_4eC39HqLyjWDarjtT1zdp7dc',
  'sk_test_BQokikJOvBiI2HlWgH4olfQ2',
  'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==',
  'C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==',
  'dGhlIHNhbXBsZSBub25jZQ==',
  'x3JJHMbDL1EzLkh9GBhXDw==',
])

/** The sample token of jwt.io, with any signature. */
const JWT_IO = 'eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lI'

export const isPlaceholder = (secret: string): boolean =>
  KNOWN.has(secret) ||
  secret.includes(JWT_IO) ||
  STANDS_FOR.test(secret) ||
  TYPED.test(secret) ||
  REFERS.test(secret) ||
  new Set(secret).size < 6

/** Whether it is a name in parts, such as a setting's: "slf4j.verbosity", "x-request-id". */
export const isName = (secret: string): boolean => /^[a-z]+\d{0,2}[a-z]*(?:[._:/-][a-z]+\d{0,2}[a-z]*)*$/i.test(secret)

/** Whether it is a whole private key: its body is hundreds of random letters; documentation has dots there. */
export function isWholeKey(text: string): boolean {
  const body = text.replace(/-----[^-\n]{1,120}-----/g, '')
  const letters = body.replaceAll(/\\[nr]|[^A-Za-z0-9+/=]/g, '')
  return letters.length >= 40 && !/\.\.\.|…/.test(body) && !TYPED.test(letters.slice(0, 200)) && entropy(letters) >= 4
}

/** The bits for each letter. */
export function entropy(text: string): number {
  const counts = new Map<string, number>()
  for (const letter of text) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length)
  return bits
}

/** Whether it is a digest, by the name beside it. */
export const isDigest = (secret: string, line: string): boolean =>
  /^[0-9a-f]{32,128}$/i.test(secret) &&
  /sha\d*|hash|commit|digest|checksum|revision|\brev\b|integrity|etag|md5/i.test(line)
