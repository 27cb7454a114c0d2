import { z } from 'zod/mini'

export const ApprovePlan = z.strictObject({
  /** The version that the person read, so that no other one is approved by mistake. Default: the newest. */
  version: z.optional(z.int().check(z.positive())),
})
export type ApprovePlan = z.infer<typeof ApprovePlan>
