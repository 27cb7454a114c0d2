import { z } from 'zod/mini'
import type { VerifyStep } from '../../records/verification.ts'
import { combined, retryConditionNames, retryConditions, type RetryCondition } from './retry-condition.ts'

/*
 * Fresh starts: the built-in agent that has failed begins again within its session, with a fresh context that says what
 * went wrong. They are not the retries of an execution (`../retry.ts`), which repeat work that Docker or a model has
 * spoilt. Both have fields that begin with "retry", since both come from documents that people know.
 */

const MOST_FRESH_STARTS = 10
const LONGEST_TEMPLATE = 20_000

/** The settings that may be chosen for a single execution. */
export const freshStartFields = {
  /** Whether the built-in agent begins again after a failure. */
  retryOnFailure: z.optional(z.boolean()),
  /** The most fresh starts after its first attempt. */
  maxRetries: z.optional(z.int().check(z.minimum(0), z.maximum(MOST_FRESH_STARTS))),
}

export const FreshStartsInput = z.strictObject({
  ...freshStartFields,
  /** The failures after which it begins again; several names add up. */
  retryCondition: z.optional(z.array(z.enum(retryConditionNames)).check(z.maxLength(retryConditionNames.length))),
  /** The template of a fresh start's prompt; null: Beadloom's own. */
  retryPromptTemplate: z.optional(z.nullable(z.string().check(z.minLength(1), z.maxLength(LONGEST_TEMPLATE)))),
})
export type FreshStartsInput = z.infer<typeof FreshStartsInput>

export type FreshStarts = {
  retryOnFailure: boolean
  maxRetries: number
  retryCondition: RetryCondition
  /** Null: Beadloom's own. */
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

/** The project's settings with a person's choices for one execution. */
export function chosenFreshStarts(
  of: FreshStarts,
  { retryOnFailure, maxRetries }: Pick<FreshStartsInput, 'retryOnFailure' | 'maxRetries'>,
): FreshStarts {
  return { ...of, retryOnFailure: retryOnFailure ?? of.retryOnFailure, maxRetries: maxRetries ?? of.maxRetries }
}

/** The most attempts of one session, including the first one. */
export const attemptsOf = ({
  retryOnFailure,
  maxRetries,
}: Pick<FreshStarts, 'retryOnFailure' | 'maxRetries'>): number => (retryOnFailure ? maxRetries + 1 : 1)

/**
 * The part of a session's order about fresh starts. `checks`: run in its workspace when the agent says that it is done.
 */
export type FreshStartsOrder = {
  maxRetries: number
  retryCondition: RetryCondition
  template: string
  checks: VerifyStep[]
}
