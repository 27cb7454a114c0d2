import type { Note } from '../found.ts'
import { folderOf, nameOf } from './repository-path.ts'

/** The files of a commit: all listed paths, and the texts of those that `wantedFiles` names. */
export type RepositoryFiles = {
  /** Separated by `/`, with none at the beginning. */
  paths: readonly string[]
  /** A wanted file that is not here could not be read. */
  texts: ReadonlyMap<string, string>
}

/** The limit of a listing. Linux, with 90,000 files, is read as a whole; more paths tell nothing new. */
export const MOST_PATHS = 100_000
/** The limit of one file, in characters. Most manifests have a few kilobytes; a generated one may have a hundred. */
export const MOST_TEXT = 256 * 1024
/** The limit of all files together: files made to be slow to read then take a second in all, not one each. */
export const MOST_TEXTS = 4 * 1024 * 1024
const LONGEST_PATH = 1000

/** One folder as a reader sees it. Names may have folders of their own: `.github/workflows/ci.yml`. */
export type Folder = {
  /** `''` for the root. */
  path: string
  /** Names that are directly in it. */
  names: readonly string[]
  has(name: string): boolean
  /** Null if there is no such file, or it cannot be read. */
  text(name: string): string | null
  /** Its path from the repository's root. */
  at(name: string): string
  /** A folder of the same repository, by its path from the root; `''` is the root, and always the same. */
  other(path: string): Folder
  /** The files of this name exactly one folder below, sorted: for `a` and `x`, such as `a/b/x`. */
  inEach(folder: string, name: string): string[]
  /** The files in it and below it whose paths from here match, sorted; `most` at most. */
  below(pattern: RegExp, most: number): string[]
}

/** The folders of one commit, by path. Files that are too large or no text count as unreadable, with a note. */
export class Folders {
  readonly notes: Note[] = []
  readonly #files: ReadonlySet<string>
  readonly #texts: ReadonlyMap<string, string>
  readonly #names = new Map<string, string[]>()
  readonly #read = new Set<string>()
  #inOrder: readonly string[] | null = null
  #root: Folder | null = null
  #left = MOST_TEXTS

  constructor({ paths, texts }: RepositoryFiles) {
    const usable = paths.slice(0, MOST_PATHS).filter(isUsable)
    this.#files = new Set(usable)
    this.#texts = texts
    for (const path of this.#files) {
      const folder = folderOf(path)
      const names = this.#names.get(folder)
      if (names) names.push(nameOf(path))
      else this.#names.set(folder, [nameOf(path)])
    }
    if (paths.length > MOST_PATHS)
      this.notes.push({
        text: `The repository has more than ${MOST_PATHS} files. Only the first ones were looked at.`,
        from: { file: '', line: null },
      })
  }

  /** Every path that is not ignored. */
  get files(): string[] {
    return [...this.#files]
  }

  folder(path: string): Folder {
    return path === '' ? (this.#root ??= this.#folder('')) : this.#folder(path)
  }

  #folder(path: string): Folder {
    const at = (name: string): string => (path === '' ? name : `${path}/${name}`)
    return {
      path,
      names: this.#names.get(path) ?? [],
      has: (name) => this.#files.has(at(name)),
      text: (name) => this.#text(at(name)),
      at,
      other: (other) => this.folder(other),
      inEach: (folder, name) =>
        [...this.#names.keys()]
          .filter((one) => folderOf(one) === at(folder) && this.#files.has(`${one}/${name}`))
          .map((one) => `${folder}/${nameOf(one)}/${name}`)
          .sort(),
      below: (pattern, most) => {
        const start = at('')
        const matching: string[] = []
        for (const file of this.#sorted())
          if (file.startsWith(start) && pattern.test(file.slice(start.length))) {
            matching.push(file.slice(start.length))
            if (matching.length === most) break
          }
        return matching
      },
    }
  }

  #sorted(): readonly string[] {
    this.#inOrder ??= [...this.#files].sort()
    return this.#inOrder
  }

  #text(path: string): string | null {
    const text = this.#files.has(path) ? this.#texts.get(path) : undefined
    if (text === undefined) return null
    const why = text.includes('\0') ? 'is not text' : this.#isTaken(path, text) ? null : 'is too large to read'
    if (why === null) return text.startsWith('\uFEFF') ? text.slice(1) : text
    const note = `${path} ${why}; only its presence counts.`
    if (!this.notes.some((known) => known.text === note))
      this.notes.push({ text: note, from: { file: path, line: null } })
    return null
  }

  /** Counts each file once, though readers ask for it several times. */
  #isTaken(path: string, text: string): boolean {
    if (this.#read.has(path)) return true
    if (text.length > Math.min(MOST_TEXT, this.#left)) return false
    this.#left -= text.length
    this.#read.add(path)
    return true
  }
}

/** Paths as git lists them; any other could lead out of the repository, or harm a terminal. */
const isUsable = (path: string): boolean =>
  path !== '' &&
  path.length <= LONGEST_PATH &&
  !/\p{Cc}/u.test(path) &&
  path.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
