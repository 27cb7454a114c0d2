import { QueueExecution } from '@beadloom/core/api.ts'
import { calculateDelay, type RetryBackoff, type RetryInput, type RetryPolicy } from '@beadloom/core/retry.ts'
import { briefDuration, parseDuration, spokenDuration, typedDuration } from './duration-text.ts'

/** The five fields as a person types them. */
export type RetryDraft = {
  retryCount: string
  /** A duration. */
  retryDelay: string
  retryBackoff: RetryBackoff
  /** One text a line. */
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
 * What to send: only what differs from the project's own, so that the server settles the rest. With problems there is
 * nothing to send. The limits are those of the API's schema.
 */
export function readDraft(
  draft: RetryDraft,
  defaults: RetryPolicy,
): { input: RetryInput; policy: RetryPolicy | null; problems: RetryProblems } {
  const problems: RetryProblems = {}
  const count = wholeNumber(draft.retryCount)
  const delay = parseDuration(draft.retryDelay)
  const maxTime = draft.retryMaxTime.trim() === '' ? 0 : parseDuration(draft.retryMaxTime)
  if (count === null) problems.retryCount = 'Give a whole number, such as 3.'
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
  for (const { path, code, ...issue } of QueueExecution.safeParse(given).error?.issues ?? []) {
    const field = fieldOf(path[0])
    if (field) problems[field] ??= wording(field, code, issue, path)
  }
  if (Object.keys(problems).length > 0) return { input: {}, policy: null, problems }
  const policy = { ...given, retryMaxTime: given.retryMaxTime || null }
  return { input: differing(given, { ...defaults, retryMaxTime: defaults.retryMaxTime ?? 0 }), policy, problems }
}

/** Sentences of the server that name a field ("retryCount: …"), beside the fields that they are about. */
export function problemsOf(details: unknown): RetryProblems {
  const problems: RetryProblems = {}
  for (const one of Array.isArray(details) ? (details as unknown[]) : []) {
    const { field, problem } = (one ?? {}) as { field?: unknown; problem?: unknown }
    const known = typeof field === 'string' ? fieldOf(field.split('.')[0]) : null
    if (known && typeof problem === 'string') problems[known] ??= problem
  }
  return problems
}

/** What the policy means, in a sentence: "Retries after 1 s, 2 s, 4 s." */
export function describePolicy(policy: RetryPolicy): string {
  if (policy.retryCount === 0) return 'No retries: the first failure ends it.'
  const delays = Array.from({ length: policy.retryCount }, (_, attempt) => calculateDelay(policy, attempt))
  const all = delays.every((delay) => delay === 0)
  const when = all ? 'at once' : `after ${delays.map(briefDuration).join(', ')}`
  const most = policy.retryCount === 1 ? 'One retry' : all ? `${policy.retryCount} retries` : 'Retries'
  const until =
    policy.retryMaxTime === null ? '' : `, none later than ${spokenDuration(policy.retryMaxTime)} after the first start`
  const which = policy.retryOn.length === 0 ? '' : `, if the error names ${policy.retryOn.map(quoted).join(' or ')}`
  return `${most} ${when}${until}${which}.`
}

const NO_DURATION = 'Give a time such as 1500 (milliseconds), 30s, 5m or 2h.'
const quoted = (text: string): string => `“${text}”`

const fields: readonly RetryField[] = ['retryCount', 'retryDelay', 'retryBackoff', 'retryOn', 'retryMaxTime']
const fieldOf = (name: unknown): RetryField | null => fields.find((field) => field === name) ?? null

function wholeNumber(text: string): number | null {
  return /^-?\d{1,9}$/.test(text.trim()) ? Number(text) : null
}

function wording(field: RetryField, code: string | undefined, issue: object, path: readonly PropertyKey[]): string {
  const { maximum, minimum, message } = issue as { maximum?: number; minimum?: number; message: string }
  const amount = (value: number) => (field === 'retryCount' ? String(value) : spokenDuration(value))
  if (field === 'retryOn') {
    if (code !== 'too_big') return message
    return path.length > 1
      ? `Line ${Number(path[1]) + 1} is too long: at most ${maximum ?? 0} characters.`
      : `Too many lines: at most ${maximum ?? 0}.`
  }
  if (code === 'too_big' && maximum !== undefined) return `At most ${amount(maximum)}.`
  if (code === 'too_small' && minimum !== undefined) return `At least ${amount(minimum)}.`
  return message
}

function differing(given: Required<RetryInput>, own: Required<RetryInput>): RetryInput {
  return Object.fromEntries(
    fields.filter((field) => String(given[field]) !== String(own[field])).map((field) => [field, given[field]]),
  )
}
