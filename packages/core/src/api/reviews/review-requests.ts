import { z } from 'zod/mini'

export const AskReview = z.strictObject({
  /** Without a bead the whole work branch is reviewed. */
  bead: z.optional(z.string().check(z.minLength(1), z.maxLength(128))),
  /** Even if exactly this was reviewed before. */
  again: z.optional(z.boolean()),
})
export type AskReview = z.infer<typeof AskReview>

export const DismissIssue = z.strictObject({ note: z.optional(z.string().check(z.maxLength(2000))) })
export type DismissIssue = z.infer<typeof DismissIssue>
