import type { DiffFile, ListHow } from '../ports/hub/diffs.ts'
import { diffFiles, type DiffDeps } from './diff.ts'

/** The limit of all lists together: a few megabytes, and more than anybody reads at one time. */
const MOST_FILES = 20_000
const MOST_LISTS = 16

type Found = { files: Promise<readonly DiffFile[]>; count: number }

/**
 * The last requested lists of files. The difference between two commits never changes, and a reader of a diff asks for
 * one patch after another, and each needs the list: without this, git would compare the two trees again for every file
 * that comes into view.
 */
export class RecentDiffs {
  #found = new Map<string, Found>()

  /** Asked twice at the same time, runs git once. A failure is not kept. */
  files(deps: DiffDeps, from: string, to: string, how: ListHow = {}): Promise<readonly DiffFile[]> {
    const key = [deps.gitDir, from, to, how.ignoreSpace === true, how.lines ?? ''].join('\0')
    const known = this.#found.get(key)
    if (known) {
      this.#keep(key, known)
      return known.files
    }
    const found: Found = { files: diffFiles(deps, from, to, how), count: 0 }
    this.#keep(key, found)
    found.files.then(
      ({ length }) => {
        found.count = length
        this.#forgetOld()
      },
      () => this.#found.delete(key),
    )
    return found.files
  }

  /** Drops the lists of a removed clone. */
  forget(gitDir: string): void {
    for (const key of this.#found.keys()) if (key.startsWith(`${gitDir}\0`)) this.#found.delete(key)
  }

  #keep(key: string, found: Found): void {
    this.#found.delete(key)
    this.#found.set(key, found)
  }

  #forgetOld(): void {
    let [lists, files] = [0, 0]
    for (const [key, { count }] of [...this.#found].toReversed()) {
      lists += 1
      files += count
      // The newest stays, however long it is: it is the one being read.
      if (lists > 1 && (lists > MOST_LISTS || files > MOST_FILES)) this.#found.delete(key)
    }
  }
}
