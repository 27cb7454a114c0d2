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

/**
 * A file that is to be read whole: git takes it for binary, so its patch has no lines, or (`isText`) a part of it has changed that
 * may be the inside of a key. `object`: the id of its bytes; `before`: of those that it had.
 */
export type FileToRead = { commit: string; path: string; object: string; before: readonly string[]; isText?: true }

/** A text as a whole: a file's, or (`path` '') what a commit says of itself. */
export type WholeText = { commit: string; path: string; text: string }

/** `more`: there are more of them than are told. `toRead`: not searched yet. */
export type SecretsOfChange = { found: FoundSecret[]; more: boolean; toRead: FileToRead[] }
