/** A match that is no secret, by the whole match, its line or the secret itself (the default). `all`: everything here has to hold. */
export type Allow = {
  target?: string
  all?: boolean
  paths?: readonly string[]
  regexes?: readonly string[]
  words?: readonly string[]
}

/** `keywords`: one of them is in the text. `group`: which part is the secret; default: the first that there is. */
export type RuleText = {
  id: string
  regex: string
  keywords: readonly string[]
  entropy?: number
  path?: string
  group?: number
  allow?: readonly Allow[]
}
