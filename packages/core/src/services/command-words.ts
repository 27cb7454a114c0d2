/**
 * The words of a command line as a shell would split it, with quotes and backslashes, but without variables and
 * patterns. Null: a quote is not closed.
 */
export function commandWords(line: string): string[] | null {
  const words: string[] = []
  let word: string | null = null
  let quote: '"' | "'" | null = null
  for (let at = 0; at < line.length; at++) {
    const char = line[at]!
    if (quote === null && /\s/.test(char)) {
      if (word !== null) words.push(word)
      word = null
    } else if (char === quote) quote = null
    else if (quote === null && (char === '"' || char === "'")) {
      quote = char
      word ??= ''
    } else if (char === '\\' && quote !== "'" && at + 1 < line.length) word = `${word ?? ''}${line[++at]!}`
    else word = `${word ?? ''}${char}`
  }
  if (quote !== null) return null
  return word === null ? words : [...words, word]
}
