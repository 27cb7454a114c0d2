import type { Language } from './mutants.ts'

/** A public repository at a commit. Only the suite uses these fields: Beadloom learns just the place of the clone. */
export type PublicRepository = {
  /** `OWNER/NAME` on GitHub. */
  name: string
  commit: string
  /** A note for readers of the table. */
  shape: string
  /** Null: its toolchain needs only npm, PyPI, crates.io, Go's, Maven Central or Debian. */
  registry: string | null
  language: Language
  /** The code that its tests cover: files or folders. */
  sources: readonly string[]
  /** Runs all of its tests, as its own CI does, in a container in which Beadloom's `setup` has run. */
  own: string
}

/** Makes an entry of the list from its row: `at` is `OWNER/NAME@COMMIT`, the other fields are as above. */
export const inLanguage =
  (language: Language) =>
  (...[at, shape, sources, own, registry]: Row): PublicRepository => {
    const [name = '', commit = ''] = at.split('@')
    return { name, commit, shape, registry: registry ?? null, language, sources, own }
  }
type Row = [at: string, shape: string, sources: string[], own: string, registry?: string]
