import type { StepType } from '../../digest/digest-tool.ts'
import type { UsedUp } from '../../budget/used-up.ts'

/**
 * A failure, classified once, where it happens. Policy reads `kind`, never a message. `detail` is one sentence without
 * its full stop; a detail from an engine, a hub or a disk also says what to do.
 */
export type Failure =
  | { kind: 'engine_unreachable'; detail: string }
  | { kind: 'engine_timeout'; detail: string }
  | { kind: 'engine_failed'; detail: string }
  | { kind: 'engine_refused'; detail: string }
  | { kind: 'server_short'; detail: string }
  | { kind: 'image_missing'; detail: string }
  | { kind: 'image_build_failed'; detail: string }
  | { kind: 'setup_failed'; command: string; exitCode: number | null }
  /** A service beside the agent or the checks was not ready in time. */
  | { kind: 'service_failed'; service: string; detail: string }
  /** Setup needs secrets that nobody has set on this server. */
  | { kind: 'secret_missing'; project: string; names: readonly string[] }
  | { kind: 'no_space'; detail: string }
  | { kind: 'out_of_memory'; limitBytes: number }
  /** `why`: the engine's words, without a full stop. */
  | { kind: 'container_lost'; why?: string }
  /** Killed by its session, which has the same user, or by somebody on the machine. */
  | { kind: 'supervisor_killed' }
  | { kind: 'stopped_outside' }
  | { kind: 'killed'; exitCode: number }
  | { kind: 'agent_crashed'; exitCode: number }
  | { kind: 'link_lost' }
  /** The agent ended well, but its last line is missing: its disk was full, or something changed its output. */
  | { kind: 'result_lost' }
  | { kind: 'agent_exited'; detail: string }
  | { kind: 'agent_killed'; detail: string }
  | { kind: 'agent_failed'; detail: string }
  | { kind: 'model_busy'; detail: string }
  | { kind: 'model_unreachable'; detail: string }
  | { kind: 'model_timeout'; detail: string }
  | { kind: 'model_unanswered'; detail: string }
  | { kind: 'repository'; detail: string }
  /** `types`: those of the failing checks. `early`: tests pass that must fail until a later phase. */
  | { kind: 'verification'; command: string; attempts: number; types: readonly StepType[]; early?: boolean }
  /** `program`: the missing program, if the output names it. `fix`: a sentence. */
  | { kind: 'command_not_found'; step: string; command: string; program: string | null; fix: string }
  | { kind: 'nothing_done' }
  | { kind: 'phase_unchanged'; phase: number }
  | { kind: 'no_checks'; attempts: number }
  | { kind: 'tests_weakened'; attempts: number }
  /** `parts`: sentences. */
  | { kind: 'not_checked'; parts: string }
  | { kind: 'secrets_found'; attempts: number }
  | { kind: 'runs_elsewhere'; attempts: number; files: string }
  | { kind: 'judge_unanswered'; judge: string; detail: string }
  | { kind: 'no_progress'; attempts: number }
  | { kind: 'too_many_sessions'; sessions: number }
  | { kind: 'push_conflict'; branch: string; detail: string }
  | { kind: 'publish_failed'; detail: string }
  | { kind: 'turn_limit'; steps: number }
  | { kind: 'budget_exhausted'; limit: UsedUp }
  | { kind: 'session_timeout'; afterMs: number }
  /** `problems`: sentences. */
  | { kind: 'plan_invalid'; problems: string }
  | { kind: 'subtask_failed'; subtask: string; detail: string }
  | { kind: 'phase_review_failed'; phase: number; attempts: number; feedback: string }
  | { kind: 'server_restarted' }

export type FailureKind = Failure['kind']

/**
 * Reasons why a model finally gave no answer, but may give one later. `model_unreachable`: no connection, a broken one,
 * or an error of the endpoint's own. Errors that a retry cannot help (a wrong key, an unknown model) are not in this
 * list.
 */
export const modelTroubles = ['model_busy', 'model_unreachable', 'model_timeout'] as const
export type ModelTrouble = (typeof modelTroubles)[number]

/**
 * The layer that may try again: `infra` by the retry policy, on the same work in a new container; `verification` by a
 * fresh session with a digest; `never`: another try would end the same way, or a person has to decide. A new kind does
 * not compile until somebody has chosen its layer.
 */
export const retryLayer: Record<FailureKind, 'infra' | 'verification' | 'never'> = {
  engine_unreachable: 'infra',
  engine_timeout: 'infra',
  engine_failed: 'infra',
  engine_refused: 'never',
  server_short: 'infra',
  image_missing: 'infra',
  image_build_failed: 'never',
  setup_failed: 'never',
  secret_missing: 'never',
  service_failed: 'infra', // a busy machine may have been too slow for it
  no_space: 'never',
  out_of_memory: 'infra',
  container_lost: 'infra',
  supervisor_killed: 'infra',
  stopped_outside: 'infra',
  killed: 'infra',
  agent_crashed: 'infra',
  link_lost: 'infra',
  result_lost: 'infra',
  agent_exited: 'infra',
  agent_killed: 'infra',
  agent_failed: 'never', // it looped, printed too much, or its model refuses it
  model_busy: 'infra',
  model_unreachable: 'infra',
  model_timeout: 'infra',
  model_unanswered: 'never', // the gateway has tried each call again already
  repository: 'never',
  verification: 'verification',
  command_not_found: 'never',
  nothing_done: 'verification',
  phase_unchanged: 'never', // the agents were asked more than once
  no_checks: 'verification',
  tests_weakened: 'verification',
  secrets_found: 'verification',
  runs_elsewhere: 'verification',
  not_checked: 'never', // no attempt can make the base's tests run
  judge_unanswered: 'infra', // the work is not at fault, and the model may be back
  no_progress: 'never',
  too_many_sessions: 'never',
  push_conflict: 'never',
  publish_failed: 'never',
  turn_limit: 'never',
  budget_exhausted: 'never',
  session_timeout: 'never',
  plan_invalid: 'never', // the architect was asked twice
  subtask_failed: 'never', // failures that the policy retries have kinds of their own
  phase_review_failed: 'never', // the review was done twice
  server_restarted: 'infra',
}

/** Whether the retry policy may retry it. */
export const isRetryable = (kind: FailureKind | undefined): kind is FailureKind =>
  kind !== undefined && retryLayer[kind] === 'infra'

/** People's names for retryable failures, in addition to kind and sentence; for `retryOn`. */
const alsoCalled: Partial<Record<FailureKind, string>> = {
  engine_unreachable: 'network error',
  engine_timeout: 'timeout',
  engine_failed: 'server error',
  link_lost: 'network error',
  model_busy: 'rate limit',
  model_unreachable: 'network error',
  model_timeout: 'timeout',
}

/** The text that `retryOn` searches: the sentence, the kind with and without its underscores, and the name. */
export const retryText = (kind: FailureKind, detail: string): string =>
  [detail, kind, kind.replaceAll('_', ' '), alsoCalled[kind] ?? ''].join('\n')

/** Failures of an execution's surroundings: nothing was tried, so its bead is open again. */
const surroundings: ReadonlySet<FailureKind> = new Set([
  'engine_unreachable',
  'engine_timeout',
  'engine_failed',
  'engine_refused',
  'server_short',
  'image_missing',
  'image_build_failed',
  'setup_failed',
  'service_failed',
  'secret_missing',
  'no_space',
])

/**
 * Whether a failed execution has tried nothing, because its surroundings failed. `attempt` is 0 until an agent's
 * session begins.
 */
export const isUnstarted = (failed: {
  failureKind?: FailureKind | undefined
  reason: string | null
  attempt: number
}): boolean =>
  (failed.failureKind !== undefined && surroundings.has(failed.failureKind)) ||
  (failed.attempt === 0 && failed.reason === 'infra_error')
