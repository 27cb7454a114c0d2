/* Texts in the order of `sort`, looked up without reading all of them: a stranger decides how many there are. */

/** The number of texts before this one. */
function countBefore(sorted: readonly string[], text: string): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] ?? '') < text) low = middle + 1
    else high = middle
  }
  return low
}

/** The first text with this beginning. */
export function withBegin(sorted: readonly string[], begin: string): string | undefined {
  const found = sorted[countBefore(sorted, begin)]
  return found?.startsWith(begin) ? found : undefined
}

/** All texts with this beginning. */
export function allWithBegin(sorted: readonly string[], begin: string): string[] {
  const from = countBefore(sorted, begin)
  let end = from
  while (sorted[end]?.startsWith(begin) === true) end++
  return sorted.slice(from, end)
}

/**
 * Tells whether a text begins with one of these. Only one can match: the last one that is not after it in order, once
 * none begins with another.
 */
export function hasBeginIn(begins: readonly string[]): (text: string) => boolean {
  const least: string[] = []
  for (const begin of begins.toSorted()) {
    const last = least.at(-1)
    if (last === undefined || !begin.startsWith(last)) least.push(begin)
  }
  return (text) => {
    const at = countBefore(least, text)
    const before = least[at - 1]
    return least[at] === text || (before !== undefined && text.startsWith(before))
  }
}
