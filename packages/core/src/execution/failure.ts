import { assertNever } from '../assert-never.ts'
import { durationText } from '../text/duration.ts'
import { describeUsedUp, type UsedUp } from './token-budget.ts'

/**
 * What went wrong, sorted once, where it happens. Policy reads `kind`, never a message. `detail` is one sentence without
 * its full stop; that of an engine, a hub or a disk says itself what to do.
 */
export type Failure =
  | { kind: 'engine_unreachable'; detail: string }
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
  | { kind: 'agent_failed'; detail: string }
  | { kind: 'model_unanswered'; detail: string }
  | { kind: 'repository'; detail: string }
  | { kind: 'model'; detail: string }
  | { kind: 'verification'; command: string; attempts: number }
  | { kind: 'command_not_found'; command: string }
  | { kind: 'nothing_done' }
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
 * Which layer may try again: `infra` by the retry policy, on the same work in a new container; `verification` by a fresh
 * session with a digest; `never`: another try would end the same way, or a person has to decide.
 * A new kind does not compile until somebody has chosen.
 */
export const retryLayer: Record<FailureKind, 'infra' | 'verification' | 'never'> = {
  engine_unreachable: 'infra',
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
  agent_failed: 'never',
  model_unanswered: 'never', // the gateway has tried each call again already
  repository: 'never',
  model: 'never', // the gateway has tried again already
  verification: 'verification',
  command_not_found: 'never',
  nothing_done: 'verification',
  no_progress: 'never',
  too_many_sessions: 'never',
  push_conflict: 'never',
  publish_failed: 'never',
  turn_limit: 'never',
  budget_exhausted: 'never',
  session_timeout: 'never',
  server_restarted: 'infra',
}

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
] as const
export type FailureReason = (typeof failureReasons)[number]

/** What the execution's record says. A session timeout ends as TIMEOUT and has no failure reason. */
export const failureReasonOf: Record<Exclude<FailureKind, 'session_timeout'>, FailureReason> = {
  engine_unreachable: 'infra_error',
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
  agent_failed: 'agent_failed',
  model_unanswered: 'agent_failed',
  repository: 'infra_error',
  model: 'infra_error',
  verification: 'verification_exhausted',
  command_not_found: 'tests_failed',
  nothing_done: 'verification_exhausted',
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
      return `${sentence(failure.detail)} Once Docker answers, ${again}.`
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
    case 'agent_failed':
      return `The session failed: ${sentence(failure.detail, false)} Read its log; when the cause is gone, ${again}.`
    case 'model_unanswered':
      return `The model answered none of very many calls in a row, so the agent was stopped: ${sentence(failure.detail, false)} Read its log; when the cause is gone, ${again}.`
    case 'repository':
      return `${sentence(failure.detail)} Then ${again}.`
    case 'model':
      return `The model did not answer: ${failure.detail}. Check the model's name and key, then ${again}.`
    case 'verification':
      return `The tests still fail after ${failure.attempts} ${failure.attempts === 1 ? 'attempt' : 'attempts'} (${failure.command}). The work is on the branch: read the digest, then run the bead again or finish it by hand.`
    case 'command_not_found':
      return `The test command does not exist in the container: ${failure.command}. Fix "test" in beadloom.json, or install it in "setup".`
    case 'nothing_done':
      return 'The agent ended without committing anything. Read its log; the bead may need a clearer description.'
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
