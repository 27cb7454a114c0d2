/** The beginning and the end of a text that is too long, `limit` characters together, and a line that says what is missing. */
export function withoutMiddle(text: string, limit: number): string {
  if (text.length <= limit) return text
  const half = Math.floor(limit / 2)
  const [start, end] = [text.slice(0, half), text.slice(-half)].map((part) => part.toWellFormed())
  return `${start}\n… (${text.length - 2 * half} characters left out) …\n${end}`
}
