import { assertNever } from '../assert-never.ts'
import type { StepType } from '../digest/digest-tool.ts'
import { durationText } from '../text/duration.ts'
import { describeUsedUp, type UsedUp } from './token-budget.ts'

/**
 * What went wrong, sorted once, where it happens. Policy reads `kind`, never a message. `detail` is one sentence without
 * its full stop; that of an engine, a hub or a disk says itself what to do.
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
  | { kind: 'no_space'; detail: string }
  | { kind: 'out_of_memory'; limitBytes: number }
  | { kind: 'container_lost' }
  | { kind: 'stopped_outside' }
  | { kind: 'killed'; exitCode: number }
  | { kind: 'agent_crashed'; exitCode: number }
  | { kind: 'link_lost' }
  | { kind: 'agent_exited'; detail: string }
  | { kind: 'agent_killed'; detail: string }
  | { kind: 'agent_failed'; detail: string }
  | { kind: 'model_busy'; detail: string }
  | { kind: 'model_unreachable'; detail: string }
  | { kind: 'model_timeout'; detail: string }
  | { kind: 'model_unanswered'; detail: string }
  | { kind: 'repository'; detail: string }
  /** `types`: those of the checks that do not pass. */
  | { kind: 'verification'; command: string; attempts: number; types: readonly StepType[] }
  /** `program`: what was not found, where the output says it. */
  | { kind: 'command_not_found'; step: string; command: string; program: string | null }
  | { kind: 'nothing_done' }
  | { kind: 'no_checks'; attempts: number }
  | { kind: 'tests_weakened'; attempts: number }
  | { kind: 'judge_unanswered'; judge: string; detail: string }
  | { kind: 'no_progress'; attempts: number }
  | { kind: 'too_many_sessions'; sessions: number }
  | { kind: 'push_conflict'; branch: string; detail: string }
  | { kind: 'publish_failed'; detail: string }
  | { kind: 'turn_limit'; steps: number }
  | { kind: 'budget_exhausted'; limit: UsedUp }
  | { kind: 'session_timeout'; afterMs: number }
  | { kind: 'server_restarted' }

export type FailureKind = Failure['kind']

/**
 * Why a model gave no answer, to the end, where it may give one later. `model_unreachable`: no connection, one that broke
 * off, or an error of the endpoint's own. What a retry cannot help (a wrong key, an unknown model) is none of them.
 */
export const modelTroubles = ['model_busy', 'model_unreachable', 'model_timeout'] as const
export type ModelTrouble = (typeof modelTroubles)[number]

/**
 * Which layer may try again: `infra` by the retry policy, on the same work in a new container; `verification` by a fresh
 * session with a digest; `never`: another try would end the same way, or a person has to decide.
 * A new kind does not compile until somebody has chosen.
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
  no_space: 'never',
  out_of_memory: 'infra',
  container_lost: 'infra',
  stopped_outside: 'infra',
  killed: 'infra',
  agent_crashed: 'infra',
  link_lost: 'infra',
  agent_exited: 'infra',
  agent_killed: 'infra',
  agent_failed: 'never', // it went round in circles, printed too much, or its model refuses it
  model_busy: 'infra',
  model_unreachable: 'infra',
  model_timeout: 'infra',
  model_unanswered: 'never', // the gateway has tried each call again already
  repository: 'never',
  verification: 'verification',
  command_not_found: 'never',
  nothing_done: 'verification',
  no_checks: 'verification',
  tests_weakened: 'verification',
  judge_unanswered: 'infra', // the work is not at fault, and the model may be back
  no_progress: 'never',
  too_many_sessions: 'never',
  push_conflict: 'never',
  publish_failed: 'never',
  turn_limit: 'never',
  budget_exhausted: 'never',
  session_timeout: 'never',
  server_restarted: 'infra',
}

/** By the retry policy. */
export const isRetryable = (kind: FailureKind | undefined): kind is FailureKind =>
  kind !== undefined && retryLayer[kind] === 'infra'

/** What people call a failure that can be retried, beside its kind and its own sentence; for `retryOn`. */
const alsoCalled: Partial<Record<FailureKind, string>> = {
  engine_unreachable: 'network error',
  engine_timeout: 'timeout',
  engine_failed: 'server error',
  link_lost: 'network error',
  model_busy: 'rate limit',
  model_unreachable: 'network error',
  model_timeout: 'timeout',
}

/** The text in which `retryOn` looks for its parts: the sentence, the kind with and without its underscores, and the name. */
export const retryText = (kind: FailureKind, detail: string): string =>
  [detail, kind, kind.replaceAll('_', ' '), alsoCalled[kind] ?? ''].join('\n')
/** What an execution needs before anything can be tried: without it, its bead is as open as before. */
const surroundings: ReadonlySet<FailureKind> = new Set([
  'engine_unreachable',
  'engine_timeout',
  'engine_failed',
  'engine_refused',
  'server_short',
  'image_missing',
  'image_build_failed',
  'setup_failed',
  'no_space',
])

/**
 * Whether a failed execution has tried nothing of its bead, for want of what it runs in. `attempt` is 0 until an agent's
 * session begins.
 */
export const isUnstarted = (failed: {
  failureKind?: FailureKind | undefined
  reason: string | null
  attempt: number
}): boolean =>
  (failed.failureKind !== undefined && surroundings.has(failed.failureKind)) ||
  (failed.attempt === 0 && failed.reason === 'infra_error')

/** Why an execution is FAILED, as its record and the API say it. Coarser than `FailureKind`, and kept for good. */
export const failureReasons = [
  'tests_failed',
  'verification_exhausted',
  'push_conflict',
  'subtask_failed',
  'phase_review_failed',
  'plan_invalid',
  'infra_error',
  'retries_exhausted',
  'agent_failed',
  'turn_limit',
  'orchestrator_restart',
  'budget_exhausted',
  'no_progress',
  'nothing_committed',
  'no_checks',
  'tests_weakened',
] as const
export type FailureReason = (typeof failureReasons)[number]

/** What the execution's record says. A session timeout ends as TIMEOUT and has no failure reason. */
export const failureReasonOf: Record<Exclude<FailureKind, 'session_timeout'>, FailureReason> = {
  engine_unreachable: 'infra_error',
  engine_timeout: 'infra_error',
  engine_failed: 'infra_error',
  engine_refused: 'infra_error',
  server_short: 'infra_error',
  image_missing: 'infra_error',
  image_build_failed: 'infra_error',
  setup_failed: 'infra_error',
  no_space: 'infra_error',
  out_of_memory: 'infra_error',
  container_lost: 'infra_error',
  stopped_outside: 'infra_error',
  killed: 'infra_error',
  agent_crashed: 'infra_error',
  link_lost: 'infra_error',
  agent_exited: 'agent_failed',
  agent_killed: 'agent_failed',
  agent_failed: 'agent_failed',
  model_busy: 'agent_failed',
  model_unreachable: 'agent_failed',
  model_timeout: 'agent_failed',
  model_unanswered: 'agent_failed',
  repository: 'infra_error',
  verification: 'verification_exhausted',
  command_not_found: 'tests_failed',
  nothing_done: 'nothing_committed',
  no_checks: 'no_checks',
  tests_weakened: 'tests_weakened',
  judge_unanswered: 'infra_error',
  no_progress: 'no_progress',
  too_many_sessions: 'retries_exhausted',
  push_conflict: 'push_conflict',
  publish_failed: 'infra_error',
  turn_limit: 'turn_limit',
  budget_exhausted: 'budget_exhausted',
  server_restarted: 'orchestrator_restart',
}

/**
 * What happened, and what to do next, in one or two sentences for a person. `review`: it happened to a review, and this
 * command asks for another one.
 */
export function describeFailure(failure: Failure, review: string | null = null): string {
  const again = review === null ? 'run the bead again' : askAgain(review)
  const kept = review === null ? 'What was pushed is kept; ' : ''
  const orSplit = review === null ? 'or split the bead' : `then ${again}`
  switch (failure.kind) {
    case 'engine_unreachable':
    case 'engine_timeout':
      return `${sentence(failure.detail)} Once Docker answers, ${again}.`
    case 'engine_failed':
      return `${sentence(failure.detail)} The error is Docker's own: read its log (journalctl -u docker), then ${again}.`
    case 'engine_refused':
      return `${sentence(failure.detail)} Check "limits", "image" and "dockerfile" in beadloom.json, and run beadloom doctor.`
    case 'server_short':
      return `${sentence(failure.detail)} Then ${again}.`
    case 'image_missing':
      return `${sentence(failure.detail)} Then ${again}.`
    case 'image_build_failed':
      return `The image could not be built. Fix the error in its last lines, then ${again}. ${sentence(failure.detail)}`
    case 'setup_failed':
      return `The setup command failed${exit(failure.exitCode)}: ${failure.command}. The log has its output; fix "setup" in beadloom.json, or what it installs.`
    case 'no_space':
      return `${sentence(failure.detail)} Free some space (docker system df shows what images use), then ${again}.`
    case 'out_of_memory':
      return `The container used up its ${gibibytes(failure.limitBytes)} of memory and was killed. Raise "limits.memoryMb" in beadloom.json, or run fewer processes at once.`
    case 'container_lost':
      return `The container is gone, and Docker does not say why. ${capital(`${kept}${again}`)}.`
    case 'stopped_outside':
      return `The container was stopped from outside Beadloom: by hand (docker stop, docker kill), or by Docker itself as it went down. ${capital(`${kept}${again}`)}.`
    case 'killed':
      return `The container was killed${exit(failure.exitCode)}, but not by Beadloom and not for lack of memory. Find out what killed it (docker events), then ${again}.`
    case 'agent_crashed':
      return `The agent ended without a result${exit(failure.exitCode)}. The end of its log shows why; ${again}.`
    case 'link_lost':
      return `The container could not reach the server for a minute. ${capital(again)}; if it repeats, run beadloom doctor.`
    case 'agent_exited':
    case 'agent_failed':
      return `The session failed: ${sentence(failure.detail, false)} Read its log; when the cause is gone, ${again}.`
    case 'agent_killed':
      return `The agent's program was killed: ${sentence(failure.detail, false)} The end of its log shows how far it came; ${again}.`
    case 'model_busy':
    case 'model_unreachable':
    case 'model_timeout':
      return `The session failed, because its model gave no answer: ${sentence(failure.detail, false)} When it answers again, ${again}.`
    case 'model_unanswered':
      return `The model answered none of very many calls in a row, so the agent was stopped: ${sentence(failure.detail, false)} Read its log; when the cause is gone, ${again}.`
    case 'repository':
      return `${sentence(failure.detail)} Then ${again}.`
    case 'verification':
      return `${stillFailing(failure.types)} after ${failure.attempts} ${failure.attempts === 1 ? 'attempt' : 'attempts'} (${failure.command}). The work is on the branch: read the digest, then run the bead again or finish it by hand.`
    case 'command_not_found':
      return `The step "${failure.step}" could not run: ${failure.program ?? 'a command in it'} does not exist in the container: ${failure.command}. Install it in "setup", or fix the command in beadloom.json.`
    case 'nothing_done':
      return 'The agent ended without committing anything. Read its log; the bead may need a clearer description.'
    case 'no_checks':
      return `The project has no test suite, and ${failure.attempts} ${failure.attempts === 1 ? 'attempt' : 'attempts'} made none. The work is on the branch: add tests, or name a command as "test" in beadloom.json, and run the bead again. "verify": [] takes work that nothing has checked.`
    case 'tests_weakened':
      return `The tests pass, but they are weaker than those of the work branch, still after ${failure.attempts} ${failure.attempts === 1 ? 'attempt' : 'attempts'}. The work is on the branch: read the diff, then allow the weaker tests, or run the bead again.`
    case 'judge_unanswered':
      return `Every command passed, but the judge "${failure.judge}" gave no answer: ${sentence(failure.detail, false)} The work is on the branch. When the model answers, ${again}; "required": false takes work without its answer.`
    case 'no_progress':
      return `Attempt ${failure.attempts} failed exactly like the one before it and changed nothing, so no further attempt was made. Read the digest: the bead may need a clearer description, or a hint when you run it again.`
    case 'too_many_sessions':
      return `All ${failure.sessions} sessions of this execution are used. Raise "limits.maxSessions" in beadloom.json, or ${again}.`
    case 'push_conflict':
      return `The work on ${failure.branch} conflicts with other work: ${failure.detail}. Run the bead again, and its agent is asked to merge the two first; or merge them by hand.`
    case 'publish_failed':
      return `The work is verified, but the project's remote cannot be reached: ${failure.detail}. It is safe in the hub; run the bead again when the remote is back.`
    case 'turn_limit':
      return `The agent used all of its ${failure.steps} steps. Raise "limits.maxSteps" in beadloom.json, ${orSplit}.`
    case 'budget_exhausted':
      return `${describeUsedUp(failure.limit)} ${review === null ? 'What was done is kept: run the bead again, or split it.' : `Then ${again}.`}`
    case 'session_timeout':
      return `Stopped after ${durationText(failure.afterMs)}. ${review === null ? 'Its work is on the branch; raise' : 'Raise'} "limits.executionTimeoutSeconds", ${orSplit}.`
    case 'server_restarted':
      return `The server stopped while this was running. ${capital(`${kept}${again}`)}.`
    default:
      return assertNever(failure)
  }
}

/** Whatever else fails, only tests are called tests. */
function stillFailing(types: readonly StepType[]): string {
  const [type, ...others] = new Set(types)
  if (others.length > 0) return 'The checks still fail'
  switch (type) {
    case 'test':
      return 'The tests still fail'
    case 'build':
      return 'The build still fails'
    case 'lint':
      return 'The linter still finds fault'
    default:
      return types.length === 1 ? 'A check still fails' : 'The checks still fail'
  }
}

/** What to do about a review without a result; `command` asks for another one. */
export const askAgain = (command: string): string => `ask for the review again: ${command}`

/** A part's own message: full stop last, and capital first where it `begins` a sentence. */
function sentence(text: string, begins = true): string {
  const trimmed = text.trim()
  const whole = /[.!?]$/.test(trimmed) ? trimmed : `${trimmed}.`
  return begins ? capital(whole) : whole
}

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

const exit = (code: number | null): string => (code === null ? '' : ` with exit code ${code}`)

const gibibytes = (bytes: number): string => `${Number((bytes / 1024 ** 3).toFixed(1))} GiB`
