/** The first words of a text that is too long for its place, and an ellipsis: at most `limit` characters. */
export function shortened(text: string, limit: number): string {
  if (text.length <= limit) return text
  const start = text.slice(0, limit - 1)
  const space = Math.max(start.lastIndexOf(' '), start.lastIndexOf('\n'))
  // Where there is no end of a word for long, it is no text of words.
  const end = space > limit / 2 ? space : start.length
  return `${start.slice(0, end).trimEnd().toWellFormed()}…`
}
