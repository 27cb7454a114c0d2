import { hasBeginIn, withBegin } from '../text/sorted-texts.ts'

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

const turned = (path: string): string => `${path.split('/').reverse().join('/')}/`

/** Whether a path is one of these ends, or has one. */
export function hasEndIn(ends: Iterable<string>): (path: string) => boolean {
  const hasBegin = hasBeginIn(Array.from(ends, turned))
  return (path) => hasBegin(turned(path))
}
