import { QueueExecution } from '@beadloom/core/api/executions/execution-requests.ts'
import { parseDuration, typedDuration } from '@beadloom/core/text/duration.ts'
import type { RetryBackoff, RetryInput, RetryPolicy } from '@beadloom/core/records/retry.ts'
import { NO_DURATION, NO_NUMBER, retryProblem } from '@beadloom/core/execution/retry-words.ts'

/** The five fields as a person types them. */
export type RetryDraft = {
  retryCount: string
  /** A duration. */
  retryDelay: string
  retryBackoff: RetryBackoff
  /** One text per line. */
  retryOn: string
  /** A duration; empty: no limit. */
  retryMaxTime: string
}
export type RetryField = keyof RetryDraft
export type RetryProblems = Partial<Record<RetryField, string>>

export const draftOf = (policy: RetryPolicy): RetryDraft => ({
  retryCount: String(policy.retryCount),
  retryDelay: typedDuration(policy.retryDelay),
  retryBackoff: policy.retryBackoff,
  retryOn: policy.retryOn.join('\n'),
  retryMaxTime: policy.retryMaxTime === null ? '' : typedDuration(policy.retryMaxTime),
})

/**
 * The body to send: only differences from the project's own policy; the server fills in the rest. With problems there
 * is nothing to send. The limits are those of the API's schema.
 */
export function readDraft(
  draft: RetryDraft,
  defaults: RetryPolicy,
): { input: RetryInput; policy: RetryPolicy | null; problems: RetryProblems } {
  const problems: RetryProblems = {}
  const count = wholeNumber(draft.retryCount)
  const delay = parseDuration(draft.retryDelay)
  const maxTime = draft.retryMaxTime.trim() === '' ? 0 : parseDuration(draft.retryMaxTime)
  if (count === null) problems.retryCount = NO_NUMBER
  if (delay === null) problems.retryDelay = NO_DURATION
  if (maxTime === null) problems.retryMaxTime = NO_DURATION
  const given: Required<RetryInput> = {
    retryCount: count ?? 0,
    retryDelay: delay ?? 0,
    retryBackoff: draft.retryBackoff,
    retryOn: draft.retryOn
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
    retryMaxTime: maxTime ?? 0,
  }
  for (const issue of QueueExecution.safeParse(given).error?.issues ?? []) {
    const field = fieldOf(issue.path[0])
    if (field) problems[field] ??= retryProblem(field, issue)
  }
  if (Object.keys(problems).length > 0) return { input: {}, policy: null, problems }
  const policy = { ...given, retryMaxTime: given.retryMaxTime || null }
  return { input: differing(given, { ...defaults, retryMaxTime: defaults.retryMaxTime ?? 0 }), policy, problems }
}

/** The server's sentences that name a field ("retryCount: …"), by field. */
export function problemsOf(details: unknown): RetryProblems {
  const problems: RetryProblems = {}
  for (const one of Array.isArray(details) ? (details as unknown[]) : []) {
    const { field, problem } = (one ?? {}) as { field?: unknown; problem?: unknown }
    const known = typeof field === 'string' ? fieldOf(field.split('.')[0]) : null
    if (known && typeof problem === 'string') problems[known] ??= problem
  }
  return problems
}

const fields: readonly RetryField[] = ['retryCount', 'retryDelay', 'retryBackoff', 'retryOn', 'retryMaxTime']
const fieldOf = (name: unknown): RetryField | null => fields.find((field) => field === name) ?? null

function wholeNumber(text: string): number | null {
  return /^-?\d{1,9}$/.test(text.trim()) ? Number(text) : null
}

function differing(given: Required<RetryInput>, own: Required<RetryInput>): RetryInput {
  return Object.fromEntries(
    fields
      .filter((field) => JSON.stringify(given[field]) !== JSON.stringify(own[field]))
      .map((field) => [field, given[field]]),
  )
}
