/** A word with more than two slips is another word. */
const MOST_SLIPS = 2

/** The word that was probably meant: at most one slip in short words, two in long ones. Null if none is close. */
export function closestWord(given: string, words: readonly string[]): string | null {
  const most = given.length < 6 ? 1 : MOST_SLIPS
  let best: { word: string; slips: number } | null = null
  for (const word of words) {
    if (Math.abs(word.length - given.length) > most) continue
    const slips = slipsBetween(given.toLowerCase(), word.toLowerCase())
    if (slips <= most && slips < (best?.slips ?? Infinity)) best = { word, slips }
  }
  return best?.word ?? null
}

/** The number of letters left out, added or changed, or of swapped neighbours. */
function slipsBetween(a: string, b: string): number {
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      next.push(
        Math.min(
          (row[j] ?? 0) + 1,
          (next[j - 1] ?? 0) + 1,
          (row[j - 1] ?? 0) + same,
          swapped ? (before[j - 2] ?? 0) + 1 : Infinity,
        ),
      )
    }
    before = row
    row = next
  }
  return row[b.length] ?? 0
}
