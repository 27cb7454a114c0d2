import { z } from 'zod/mini'

/** The limit for one project, and the limit for views of all projects. */
export const MOST_SAVED_VIEWS = 50

/** A named filter of the board, with its groups, order and layout. */
export type SavedView = {
  id: number
  name: string
  /** The query of the board's address, without the question mark: `state=failed&group=priority&view=list`. */
  search: string
  /** The board begins with it. A project's own default overrules one for all projects. */
  isDefault: boolean
  forAll: boolean
}

const name = z
  .string()
  .check(z.trim(), z.minLength(1), z.maxLength(60), z.regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, 'must be one line of text'))
const search = z.string().check(z.maxLength(4000), z.regex(/^[^\p{Cc}\s]*$/u, 'must be a part of an address'))

export const NewSavedView = z.strictObject({
  name,
  search,
  /** Default: for this project alone. */
  forAll: z.optional(z.boolean()),
  isDefault: z.optional(z.boolean()),
})
export type NewSavedView = z.infer<typeof NewSavedView>

export const ChangeSavedView = z.strictObject({
  name: z.optional(name),
  search: z.optional(search),
  isDefault: z.optional(z.boolean()),
  /** The id of the view after it; null: it comes last. */
  before: z.optional(z.nullable(z.int().check(z.minimum(1)))),
})
export type ChangeSavedView = z.infer<typeof ChangeSavedView>
