import { hasEndIn, PathEnds } from '../tamper/path-ends.ts'

/** Paths of which one may be told from another folder: whether any of many is the same as one, as `isSamePath` has it. */
export class AlikePaths {
  readonly #longer: PathEnds
  readonly #hasShorter: (path: string) => boolean

  constructor(paths: Iterable<string>) {
    const all = [...paths].filter((path) => path !== '')
    this.#longer = new PathEnds(all)
    this.#hasShorter = hasEndIn(all)
  }

  has(path: string): boolean {
    return path !== '' && (this.#longer.find(path) !== undefined || this.#hasShorter(path))
  }
}
