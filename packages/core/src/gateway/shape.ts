import type { HostedTool } from './hosted-tools.ts'

/**
 * What may be at one place of a request. What a shape does not name is no part of what is passed on: an unknown member is left
 * out, and so is an unknown element of a list, unless the request would mean something else without it: then it is refused.
 */
export type Shape = {
  /** What a text may be; absent: any. */
  text?: TextRule
  /** What each element may be; absent: a list has no place here. */
  list?: Shape
  /** A list of which nothing is left is left out. */
  noneLeft?: 'drop'
  object?: Members | Kinds
}

/** `{ only }`: JSON of the values that it may have. `{ refused }`: with any value but an empty one it is refused, and why. */
export type Member = Shape | typeof FREE | typeof SCHEMA | { only: readonly string[] } | { refused: string } | Needs
/** Only where the server's owner has opened that tool. */
export type Needs = { needs: HostedTool; may: Member }

/** Nothing acts on what is in it. */
export const FREE = 'free'
/** A JSON schema: free, but for references to a schema that is elsewhere. */
export const SCHEMA = 'schema'

export type Members = {
  members: Readonly<Record<string, Member>>
  /** Without these it is not what it seems to be. */
  required?: readonly string[]
}

/** An object that says in its `type` what it is. */
export type Kinds = {
  kinds: (type: string | null) => Kind | null
  otherwise: 'drop' | 'refuse'
  /** What people call it: "tool", "content". */
  word: string
}
export type Kind = Members & { needs?: HostedTool }

export type TextRule = (head: string) => TextVerdict
/** Null: it may pass. */
export type TextVerdict = null | { drop: string } | { refuse: string }

export const members = (named: Readonly<Record<string, Member>>, required?: readonly string[]): Members => ({
  members: named,
  ...(required && { required }),
})

export const object = (named: Readonly<Record<string, Member>>): Shape => ({ object: members(named) })

export const listOf = (of: Shape, noneLeft?: 'drop'): Shape => ({ list: of, ...(noneLeft && { noneLeft }) })

/** Members that are free. */
export const free = (...names: string[]): Record<string, typeof FREE> =>
  Object.fromEntries(names.map((name) => [name, FREE]))

/** Kinds by their exact name, then by a pattern. `untyped` is for an object that names none. */
export function kindsBy(
  exact: Readonly<Record<string, Kind>>,
  { untyped = null, like = [] }: { untyped?: Kind | null; like?: readonly (readonly [RegExp, Kind])[] } = {},
): Kinds['kinds'] {
  return (type) => {
    if (type === null) return untyped
    if (Object.hasOwn(exact, type)) return exact[type] ?? null
    return like.find(([pattern]) => pattern.test(type))?.[1] ?? null
  }
}

/** Words of a list that may stay; the others are left out. */
export const words = (isAllowed: (word: string) => boolean, called: string): Shape =>
  listOf({ text: (word) => (isAllowed(word) ? null : { drop: `${called} ${word}` }) }, 'drop')

const INLINE = 'send what is there itself, as a data: address'
export const FETCHED = `the endpoint would fetch it: ${INLINE}`
export const STORED = 'it stands for something that is kept at the endpoint'

/** Where an endpoint takes an address: only one that is the content itself. */
export const inline: Shape = {
  text: (head) => (/^data:/i.test(head) ? null : { refuse: FETCHED }),
}

/** Base64, or an address that is the content itself. */
export const inlineOrBase64: Shape = {
  text: (head) => (/^data:|^[\w+/=\s-]*$/i.test(head) ? null : { refuse: FETCHED }),
}
