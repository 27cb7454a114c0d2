/**
 * A text that looks like a secret. `secret` is all of it: it is compared and counted, and neither stored nor shown. `line` 0: the
 * file as a whole. `refused` false: it is told, because in such a place it was mostly made for it.
 */
export type FoundSecret = {
  rule: string
  path: string
  line: number
  commit: string
  secret: string
  refused: boolean
}

/** `more`: there are more of them than are told. */
export type SecretsOfChange = { found: FoundSecret[]; more: boolean }
