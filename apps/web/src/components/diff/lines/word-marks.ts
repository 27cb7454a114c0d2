export type Piece = { text: string; marked: boolean }

/** Comparing more words costs more than it shows. */
const MOST_WORDS = 200
/** Share of common text below which two lines count as unrelated. */
const LEAST_COMMON = 0.3

const wordsOf = (text: string): string[] => text.match(/\w+|\s+|[^\w\s]/gu) ?? []

/** Cuts a line into pieces and marks those that its mate does not have. One piece if marks would say nothing. */
export function markWords(text: string, mate: string): Piece[] {
  const [words, others] = [wordsOf(text), wordsOf(mate)]
  if (words.length > MOST_WORDS || others.length > MOST_WORDS) return [{ text, marked: false }]
  const kept = common(words, others)
  const size = words.reduce((sum, word, at) => sum + (kept.has(at) && word.trim() !== '' ? word.length : 0), 0)
  const whole = Math.max(text.replaceAll(/\s/g, '').length, mate.replaceAll(/\s/g, '').length)
  if (size < whole * LEAST_COMMON) return [{ text, marked: false }]
  const pieces: Piece[] = []
  for (const [at, word] of words.entries()) {
    const marked = !kept.has(at)
    const last = pieces.at(-1)
    if (last?.marked === marked) last.text += word
    else pieces.push({ text: word, marked })
  }
  return pieces
}

/** Places of the words of `a` in the longest common subsequence of `a` and `b`. */
function common(a: readonly string[], b: readonly string[]): Set<number> {
  const width = b.length + 1
  const table = new Uint16Array((a.length + 1) * width)
  const at = (i: number, j: number): number => table[i * width + j] ?? 0
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      table[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
  const kept = new Set<number>()
  for (let i = 0, j = 0; i < a.length && j < b.length;)
    if (a[i] === b[j]) {
      kept.add(i)
      i++
      j++
    } else if (at(i + 1, j) >= at(i, j + 1)) i++
    else j++
  return kept
}
