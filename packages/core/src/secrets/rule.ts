/**
 * An exception: a match that is no secret, by the whole match, its line or the secret itself (the default). `all`: all
 * conditions have to hold.
 */
export type Allow = {
  target?: string
  all?: boolean
  paths?: readonly string[]
  regexes?: readonly string[]
  words?: readonly string[]
}

/**
 * `keywords`: one of them has to be in the text. `group`: the part that is the secret; default: the first existing one.
 */
export type RuleText = {
  id: string
  regex: string
  keywords: readonly string[]
  entropy?: number
  path?: string
  group?: number
  allow?: readonly Allow[]
}
