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
export function hasEndIn(ends: Iterable<string>): (path: string) => boolean {
  const hasBegin = hasBeginIn(Array.from(ends, turned))
  return (path) => hasBegin(turned(path))
}

/** Whether a text begins with one of these: with the last one that is not behind it in order, where none begins with another. */
export function hasBeginIn(begins: readonly string[]): (text: string) => boolean {
  const least: string[] = []
  for (const begin of begins.toSorted()) {
    const last = least.at(-1)
    if (last === undefined || !begin.startsWith(last)) least.push(begin)
  }
  return (text) => {
    let [low, high] = [0, least.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((least[middle] ?? '') <= text) low = middle + 1
      else high = middle
    }
    const begin = least[low - 1]
    return begin !== undefined && text.startsWith(begin)
  }
}
