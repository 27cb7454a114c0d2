import { hasBeginIn, withBegin } from '../text/sorted-texts.ts'

/*
 * Paths by their ends. A change may have any number of paths, and of lines that look for one, so they are not compared
 * with each other.
 */

/** Finds a path by its last few names: `src/cart` is the end of `packages/shop/src/cart`. */
export class PathEnds {
  /** Sorted, with names from last to first, so that all with one end follow each other. */
  readonly #turned: readonly string[]

  constructor(paths: Iterable<string>) {
    this.#turned = Array.from(paths, turned).sort()
  }

  /** The path equal to this end, or else one that ends with it; undefined: there is none. */
  find(end: string): string | undefined {
    const found = withBegin(this.#turned, turned(end))
    return found?.slice(0, -1).split('/').reverse().join('/')
  }
}

const turned = (path: string): string => `${path.split('/').reverse().join('/')}/`

/** Whether a path equals one of these ends, or ends with one. */
export function hasEndIn(ends: Iterable<string>): (path: string) => boolean {
  const hasBegin = hasBeginIn(Array.from(ends, turned))
  return (path) => hasBegin(turned(path))
}
