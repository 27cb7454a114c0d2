import type { Refusal } from '@beadloom/core/gateway/walk.ts'
import type { ModelTrouble } from '@beadloom/core/records/failure/failure.ts'
import { toldToAgents, type UsedUp } from '@beadloom/core/budget/used-up.ts'

/**
 * The problem of a model call, in the words that the agent and people read: `message` says what happened and what to
 * do, and never contains a key. `transient`: the same call may succeed a little later.
 */
export type Problem = {
  status: number
  code: string
  type: string
  message: string
  transient: boolean
  retryAfterMs: number | null
}

export function problem(status: number, code: string, message: string, more: Partial<Problem> = {}): Problem {
  return { status, code, type: typeOf(status), message, transient: false, retryAfterMs: null, ...more }
}

/** Codes of failures that every other call would meet as well: waiting for the model does not help. */
const notOfTheModel: ReadonlySet<string> = new Set([
  'insufficient_quota',
  'gateway_failed',
  'model_certificate',
  'model_redirects',
  'model_garbage',
  'answer_too_large',
  'too_many_counts',
])

/** The problem in the terms of the retry policy; null: a later call would fail alike. */
export function troubleOf({ status, code }: Problem): ModelTrouble | null {
  if (notOfTheModel.has(code)) return null
  if (code === STEP_USED_UP) return 'model_unreachable'
  if (code === TIMED_OUT || status === 408 || status === 504) return 'model_timeout'
  if (status === 429 || status === 503 || status === 529) return 'model_busy'
  return status >= 500 ? 'model_unreachable' : null
}

export const STOPPED = 'stopped_by_a_person'

/** The call is made again: by the gateway if nothing of its answer was sent, else by the agent. */
export const stoppedByPerson = problem(503, STOPPED, 'a person has stopped this answer; ask again', { transient: true })

/** No connection in time. */
export const TIMED_OUT = 'model_timed_out'
const STEP_USED_UP = 'step_calls_used_up'

function typeOf(status: number): string {
  if (status === 401 || status === 403) return 'authentication_error'
  if (status === 429) return 'rate_limit_error'
  return status >= 500 ? 'server_error' : 'invalid_request_error'
}

/** The caller hung up: nobody is left to answer, and nothing went wrong. */
export const callerGone = problem(499, 'caller_gone', 'the caller hung up')

// 404 and not 5xx: command lines keep asking for minutes after a 5xx, and nothing will change in the meantime.
export const noModel = problem(
  404,
  'no_model',
  'no model configured: set OPENAI_API_KEY (and OPENAI_BASE_URL for another endpoint) and start the server again, ' +
    'or replay a recorded scenario with "model": "scripted" in beadloom.json',
)

export const noModelName = problem(
  404,
  'no_model',
  'no model named: set "model" in beadloom.json, or start the server with --model NAME',
)

// 400: agents that speak Anthropic's API do not ask again after it.
export const noAnthropic = problem(
  400,
  'no_anthropic',
  "no model configured for Anthropic's API: set ANTHROPIC_API_KEY and start the server again, " +
    'or use an agent that speaks /v1/chat/completions or /v1/responses',
)

/**
 * 400, because every agent that we know ends at once on that, but keeps asking for up to a minute after a 429. Without
 * numbers, because one of them searches the text for the status of a passing error.
 */
export const budgetExhausted = (limit: UsedUp): Problem =>
  problem(400, 'budget_exhausted', toldToAgents(limit), { type: 'insufficient_quota' })

/** 400 for the same reason: the endpoint bills every answer that it cuts. `last`: the end of the last one. */
export const stepUsedUp = (last: string, calls: number): Problem =>
  problem(
    400,
    STEP_USED_UP,
    `${last}; this step was asked ${calls} times and no answer arrived whole, so it is not asked again`,
  )

export const requestTooLarge = (limitBytes: number): Problem =>
  problem(
    413,
    'request_too_large',
    `the request is larger than ${mebibytes(limitBytes)}: send less of the conversation or fewer files`,
  )

export const NOT_PASSED_ON = 'not_passed_on'

/** 400: the same request would be refused again. */
export const notPassedOn = ({ what, why }: Refusal): Problem =>
  problem(400, NOT_PASSED_ON, `the request has "${what}", which is not passed on to the model: ${why}`)

export const badRequest = (why: string): Problem => problem(400, 'bad_request', `the request ${why}`)

export const totalTimeUp = (totalMs: number): Problem =>
  problem(504, 'total_timeout', `the model call took longer than ${seconds(totalMs)} in total and was aborted`)

export const tooManyValues = (most: number): Problem =>
  problem(413, 'request_too_large', `the request has more than ${most} values: send less of the conversation`)

export const bodyTooSlow = (ms: number): Problem =>
  problem(408, 'request_too_slow', `the request's body did not arrive within ${seconds(ms)}`)

/** The call has not begun, so it costs nothing to make it again. */
export const gatewayBusy = (waitedMs: number): Problem =>
  problem(
    429,
    'gateway_busy',
    `this container has too many or too large calls in progress; this one has waited ${seconds(waitedMs)} and was not made. Make fewer at once, or try again`,
    { transient: true, retryAfterMs: 5000 },
  )

export const mebibytes = (bytes: number): string => `${Math.round((bytes / 1024 ** 2) * 10) / 10} MiB`
export const seconds = (ms: number): string => `${Math.max(1, Math.ceil(ms / 1000))} s`

/** The reason of a signal: every signal here is aborted by this folder, with a `Problem`. */
export const reasonOf = (signal: AbortSignal): Problem => signal.reason as Problem

/** Its body is not read. */
export const tooManyCounts = (most: number): Problem =>
  problem(
    429,
    'too_many_counts',
    `this session has counted tokens ${most} times since its last answer of a model: ask the model before you count again`,
  )

export const tooManyHeld = (calls: number): Problem =>
  problem(429, 'too_many_waiting', `a limit is reached, and ${calls} calls of this session are held at it already`)

export const tooManyWaiting = (calls: number): Problem =>
  problem(
    429,
    'too_many_waiting',
    `the model is cooling down, and ${calls} calls of this session are waiting for it already`,
  )
