import { baseOf, isSamePath, pathIn } from './names.ts'

/** The most files of one name that are told apart. */
const MOST_OF_A_NAME = 50

/** The files of a commit that a name in a runner's output may mean: it is relative to its package, or to a folder. */
export class MeantFiles {
  readonly #byBase = new Map<string, string[]>()
  readonly #folder: string

  /** @param folder the one that the command enters first, '' for the root */
  constructor(paths: Iterable<string>, folder: string) {
    this.#folder = folder
    for (const path of paths) {
      const known = this.#byBase.get(baseOf(path))
      if (known === undefined) this.#byBase.set(baseOf(path), [path])
      else if (known.length < MOST_OF_A_NAME && !known.includes(path)) known.push(path)
    }
  }

  /** Several if any of them may be meant. @param pkg from the output, in front of the name; '' for none */
  of({ pkg, file }: { pkg: string; file: string }): string[] {
    const known = (this.#byBase.get(baseOf(file)) ?? []).filter((path) => isSamePath(path, file))
    const exact = [...(this.#folder === '' ? [] : [`${this.#folder}/${file}`]), pathIn({ pkg, file })]
    const found = exact.find((path) => known.includes(path))
    if (found !== undefined && (pkg === '' || found !== file)) return [found]
    const inPackage = pkg === '' ? [] : known.filter((path) => isInPackage(path.slice(0, -file.length - 1), pkg))
    return inPackage.length > 0 ? inPackage : known
  }
}

/** Whether this is a package's folder, or the last part of the package's name: `@shop/cart` is in `packages/cart`. */
const isInPackage = (folder: string, pkg: string): boolean => isSamePath(folder, pkg) || baseOf(folder) === baseOf(pkg)
