import { z } from 'zod/mini'

export const AskPullRequest = z.strictObject({
  /** Default: made from the beads. */
  title: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
})
export type AskPullRequest = z.infer<typeof AskPullRequest>
