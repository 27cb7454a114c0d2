import { z } from 'zod/mini'
import type { VerifyStep } from '../verification.ts'
import { combined, retryConditionNames, retryConditions, type RetryCondition } from './retry-condition.ts'

/*
 * Fresh starts: the built-in agent that has failed begins again within its session, with a fresh context that is told what
 * went wrong. Nothing to do with the retries of an execution (`../retry.ts`), which repeat what Docker or a model has
 * spoilt: their fields begin with "retry", too, since both came from documents that people know.
 */

const MOST_FRESH_STARTS = 10
const LONGEST_TEMPLATE = 20_000

/** What may be chosen for a single execution. */
export const freshStartFields = {
  /** Whether the built-in agent begins afresh when it has failed. */
  retryOnFailure: z.optional(z.boolean()),
  /** How often, after its first attempt. */
  maxRetries: z.optional(z.int().check(z.minimum(0), z.maximum(MOST_FRESH_STARTS))),
}

export const FreshStartsInput = z.strictObject({
  ...freshStartFields,
  /** After which failures; several names add up. */
  retryCondition: z.optional(z.array(z.enum(retryConditionNames)).check(z.maxLength(retryConditionNames.length))),
  /** How the prompt of a fresh start is put together; null: as Beadloom does it. */
  retryPromptTemplate: z.optional(z.nullable(z.string().check(z.minLength(1), z.maxLength(LONGEST_TEMPLATE)))),
})
export type FreshStartsInput = z.infer<typeof FreshStartsInput>

export type FreshStarts = {
  retryOnFailure: boolean
  maxRetries: number
  retryCondition: RetryCondition
  /** Null: the one that Beadloom comes with. */
  retryPromptTemplate: string | null
}

export const defaultFreshStarts: FreshStarts = {
  retryOnFailure: false,
  maxRetries: 3,
  retryCondition: retryConditions.AllFailures,
  retryPromptTemplate: null,
}

export function resolveFreshStarts({ retryCondition, ...input }: FreshStartsInput): FreshStarts {
  const { retryOnFailure, maxRetries, retryPromptTemplate } = { ...defaultFreshStarts, ...input }
  return {
    retryOnFailure: retryOnFailure ?? defaultFreshStarts.retryOnFailure,
    maxRetries: maxRetries ?? defaultFreshStarts.maxRetries,
    retryCondition: retryCondition === undefined ? defaultFreshStarts.retryCondition : combined(retryCondition),
    retryPromptTemplate: retryPromptTemplate ?? null,
  }
}

/** What a person chose for one execution, over what the project says. */
export function chosenFreshStarts(
  of: FreshStarts,
  { retryOnFailure, maxRetries }: Pick<FreshStartsInput, 'retryOnFailure' | 'maxRetries'>,
): FreshStarts {
  return { ...of, retryOnFailure: retryOnFailure ?? of.retryOnFailure, maxRetries: maxRetries ?? of.maxRetries }
}

/** Of one session at most, the first one included. */
export const attemptsOf = ({
  retryOnFailure,
  maxRetries,
}: Pick<FreshStarts, 'retryOnFailure' | 'maxRetries'>): number => (retryOnFailure ? maxRetries + 1 : 1)

/** What a session is told of them. `checks`: run in its workspace when it says that it is done. */
export type FreshStartsOrder = {
  maxRetries: number
  retryCondition: RetryCondition
  template: string
  checks: VerifyStep[]
}
