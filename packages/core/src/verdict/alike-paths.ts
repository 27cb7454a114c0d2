import { hasEndIn, PathEnds } from '../files/path-ends.ts'

/** Many paths; tells whether one of them is the same as a path from another folder, by the rule of `isSamePath`. */
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
