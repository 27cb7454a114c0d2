/**
 * A text that looks like a secret. `secret` is all of it: it is compared and counted, and neither stored nor shown. `line` 0: the
 * file as a whole, or its name. `path` '': what a commit says of itself. `refused` false: it is told, because in such a place
 * it was mostly made for it.
 */
export type FoundSecret = {
  rule: string
  path: string
  line: number
  commit: string
  secret: string
  refused: boolean
}

/** A file that git takes for binary: its patch has no lines. `object`: the id of its bytes; `before`: of those that it had. */
export type AddedBinary = { commit: string; path: string; object: string; before: readonly string[] }

/** A text as a whole: a file's, or (`path` '') what a commit says of itself. */
export type WholeText = { commit: string; path: string; text: string }

/** `more`: there are more of them than are told. `binaries`: not searched. */
export type SecretsOfChange = { found: FoundSecret[]; more: boolean; binaries: AddedBinary[] }
