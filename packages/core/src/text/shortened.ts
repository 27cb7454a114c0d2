/** The first words of a text that is too long for its place, and an ellipsis: at most `limit` characters. */
export function shortened(text: string, limit: number): string {
  if (text.length <= limit) return text
  const start = text.slice(0, limit - 1)
  const space = Math.max(start.lastIndexOf(' '), start.lastIndexOf('\n'))
  // If no word ends for long, the text does not consist of words.
  const end = space > limit / 2 ? space : start.length
  return `${start.slice(0, end).trimEnd().toWellFormed()}…`
}
