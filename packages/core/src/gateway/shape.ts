import type { HostedTool } from './hosted-tools.ts'

/**
 * The values allowed at one place of a request. Only named parts are passed on: an unknown member or list element is
 * left out, or the request is refused if it would mean something else without it.
 */
export type Shape = {
  /** The rule for a text; absent: any text. */
  text?: TextRule
  /** The shape of each element; absent: a list is not allowed here. */
  list?: Shape
  /** A list without remaining elements is left out. */
  noneLeft?: 'drop'
  object?: Members | Kinds
}

/**
 * `{ only }`: the allowed values, as JSON. `{ refused }`: any value except an empty one is refused, with this reason.
 */
export type Member = Shape | typeof FREE | typeof SCHEMA | { only: readonly string[] } | { refused: string } | Needs
/** Allowed only if the server's owner has opened that tool. */
export type Needs = { needs: HostedTool; may: Member }

/** The endpoint does not act on the content. */
export const FREE = 'free'
/** A JSON schema: free, except for references and addresses that lead elsewhere. */
export const SCHEMA = 'schema'

export type Members = {
  members: Readonly<Record<string, Member>>
  /** An object without these members is of another kind. */
  required?: readonly string[]
}

/** An object whose `type` names its kind. */
export type Kinds = {
  kinds: (type: string | null) => Kind | null
  otherwise: 'drop' | 'refuse'
  /** Its name for people: "tool", "content". */
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

/** Kinds by their exact name, then by a pattern. `untyped`: for an object without a type. */
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

/** An address: only one that contains the content itself. */
export const inline: Shape = {
  text: (head) => (/^data:/i.test(head) ? null : { refuse: FETCHED }),
}

/** Base64, or an address that contains the content itself. */
export const inlineOrBase64: Shape = {
  text: (head) => (/^data:|^[\w+/=\s-]*$/i.test(head) ? null : { refuse: FETCHED }),
}
