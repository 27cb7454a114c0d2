import { z } from 'zod/mini'
import { LEAST_MONEY, MOST_MONEY, MOST_TOKENS } from '../../budget/scopes.ts'

/** Raises the limits of an execution by this much above its present use. At least one of the two is given. */
export const GrantBudget = z
  .strictObject({
    tokens: z.optional(z.int().check(z.positive(), z.maximum(MOST_TOKENS))),
    /** In units of the server's currency. */
    money: z.optional(z.number().check(z.minimum(LEAST_MONEY), z.maximum(MOST_MONEY))),
  })
  .check(
    z.refine(({ tokens, money }) => tokens !== undefined || money !== undefined, 'grant "tokens", "money" or both'),
  )
export type GrantBudget = z.infer<typeof GrantBudget>
