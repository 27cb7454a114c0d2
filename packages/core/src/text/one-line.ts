/**
 * Text that must stay on one line (a title in a prompt, a commit's subject): control characters and line separators
 * become a space, half a surrogate pair becomes U+FFFD, and the ends are trimmed, as git does too.
 */
export function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()
}
