/*
 * Paths by what they end with. A change says how many paths there are and how many lines ask for one, so neither is looked
 * through for each of the other.
 */

/** Which of many paths ends with a few whole names: `src/cart` is the end of `packages/shop/src/cart`. */
export class PathEnds {
  /** From the last name to the first and in order, so that all with one end follow each other. */
  readonly #turned: readonly string[]

  constructor(paths: Iterable<string>) {
    this.#turned = Array.from(paths, turned).sort()
  }

  /** The path that is this end, or else one that has it; undefined: there is none. */
  find(end: string): string | undefined {
    const found = withBegin(this.#turned, turned(end))
    return found?.slice(0, -1).split('/').reverse().join('/')
  }
}

/** The first of these texts, which are in order, that begins so. */
export function withBegin(sorted: readonly string[], begin: string): string | undefined {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] ?? '') < begin) low = middle + 1
    else high = middle
  }
  const found = sorted[low]
  return found?.startsWith(begin) ? found : undefined
}

const turned = (path: string): string => `${path.split('/').reverse().join('/')}/`

/** Whether a path is one of these ends, or has one. */
export function hasEndIn(ends: ReadonlySet<string>): (path: string) => boolean {
  let longest = 0
  for (const end of ends) longest = Math.max(longest, end.length)
  return (path) => {
    if (ends.has(path)) return true
    for (let at = path.indexOf('/', Math.max(0, path.length - longest - 1)); at >= 0; at = path.indexOf('/', at + 1))
      if (ends.has(path.slice(at + 1))) return true
    return false
  }
}
