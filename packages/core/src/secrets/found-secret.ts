/**
 * A text that looks like a secret. `secret` is all of it, to be compared and counted, and neither stored nor shown.
 * `line` 0: the whole file, or its name. `path` '': a commit's message. `refused` false: only reported, because keys in
 * such a place are mostly samples.
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
 * A file to be read as a whole: git takes it for binary, so its patch has no lines, or (`isText`) the change may be the
 * inside of a key. `object`: the id of its bytes; `before`: the ids of its former bytes.
 */
export type FileToRead = { commit: string; path: string; object: string; before: readonly string[]; isText?: true }

/** A whole text: a file's, or (`path` '') a commit's message. */
export type WholeText = { commit: string; path: string; text: string }

/** `more`: there are more than the listed ones. `toRead`: not searched yet. */
export type SecretsOfChange = { found: FoundSecret[]; more: boolean; toRead: FileToRead[] }
