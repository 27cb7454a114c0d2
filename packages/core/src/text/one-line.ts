/**
 * Text that must stay on one line (a title in a prompt, a commit's subject): every run of control characters and line
 * separators becomes one space, half a surrogate pair becomes U+FFFD, and the ends are trimmed, as git does it too.
 */
export function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()
}
