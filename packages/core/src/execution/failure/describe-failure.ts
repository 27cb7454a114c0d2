import { exitCodeWords } from './exit-code-words.ts'
import { capital } from '../../text/sentence.ts'
import { assertNever } from '../../text/assert-never.ts'
import type { StepType } from '../../digest/digest-tool.ts'
import { durationText } from '../../text/duration.ts'
import type { Failure } from '../../records/failure/failure.ts'
import { describeUsedUp } from '../../budget/used-up.ts'
import { counted } from '../../text/count-text.ts'

/**
 * One or two sentences for a person: what happened, and what to do next. `asking`: the failure is a review's or a
 * plan's, which leave no work, and these words ask for another one.
 */
export function describeFailure(failure: Failure, asking: string | null = null): string {
  const again = asking ?? 'run the bead again'
  const kept = asking === null ? 'What was pushed is kept; ' : ''
  const orSplit = asking === null ? 'or split the bead' : `then ${again}`
  switch (failure.kind) {
    case 'engine_unreachable':
    case 'engine_timeout':
      return `${sentence(failure.detail)} Once the engine answers, ${again}.`
    case 'engine_failed':
      return `${sentence(failure.detail)} The error is the engine's own: read its log (of Docker: journalctl -u docker; of a cluster: kubectl get events), then ${again}.`
    case 'engine_refused':
      return `${sentence(failure.detail)} Check "limits", "image" and "dockerfile" in beadloom.json, and run beadloom doctor.`
    case 'server_short':
    case 'image_missing':
    case 'repository':
      return `${sentence(failure.detail)} Then ${again}.`
    case 'image_build_failed':
      return `The image could not be built. Fix the error in its last lines, then ${again}. ${sentence(failure.detail)}`
    case 'setup_failed':
      return `The setup command failed${exit(failure.exitCode)}: ${failure.command}. The log has its output. ${exitCodeWords(failure.exitCode) ?? 'Fix "setup" in beadloom.json, or what it installs.'}`
    case 'service_failed':
      return `The service ${failure.service} ${failure.detail}. Correct it under "services" in beadloom.json, then ${again}.`
    case 'secret_missing':
      return `Setup needs ${failure.names.join(' and ')}, which nobody has set on this server: ${howToSet(failure)}. Then ${again}.`
    case 'no_space':
      return `${sentence(failure.detail)} Free some space (docker system df shows what images use), then ${again}.`
    case 'out_of_memory':
      return `The container used up its ${gibibytes(failure.limitBytes)} of memory and was killed. Raise "limits.memoryMb" in beadloom.json, or run fewer processes at once.`
    case 'container_lost':
      return `The container is gone${failure.why === undefined ? ', and its engine does not say why' : `: ${failure.why}`}. ${asking === null ? `What was pushed or saved is kept, and the rest is lost; ${again}` : capital(again)}.`
    case 'supervisor_killed':
      return `Beadloom's supervisor in the container was killed, by the agent or by somebody on the machine, and the agent was ended with it. ${capital(`${kept}${again}`)}.`
    case 'stopped_outside':
      return `The container was stopped from outside Beadloom: by hand (docker stop, docker kill), or by Docker itself as it went down. ${capital(`${kept}${again}`)}.`
    case 'killed':
      return `The container was killed${exit(failure.exitCode)}, but not by Beadloom and not for lack of memory. Find out what killed it (docker events), then ${again}.`
    case 'agent_crashed':
      return `The agent ended without a result${exit(failure.exitCode)}. The end of its log shows why; ${again}.`
    case 'link_lost':
      return `The container could not reach the server for a minute. ${capital(again)}; if it repeats, run beadloom doctor.`
    case 'result_lost':
      return `The agent ended, and what it said last is lost: its disk was full, or something changed what it had written. ${capital(`${kept}${again}`)}.`
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
    case 'verification':
      return `${failure.early === true ? 'The new tests still pass, although nothing implements what they test yet,' : stillFailing(failure.types)} after ${counted(failure.attempts, 'attempt')} (${failure.command}). The work is on the branch: read the digest, then run the bead again or finish it by hand.`
    case 'command_not_found':
      return `The step "${failure.step}" could not run: ${failure.program ?? 'a command in it'} does not exist in the container (${failure.command}). ${failure.fix}`
    case 'nothing_done':
      return 'The agent ended without committing anything. Read its log; the bead may need a clearer description.'
    case 'phase_unchanged':
      return `Phase ${failure.phase} changed nothing, even when asked again: perhaps nothing was needed. Approved phases are on the branch: take this one out of the plan, or say in its subtasks what is missing, and run the bead again, which continues after them.`
    case 'no_checks':
      return `The project has no test suite, and ${counted(failure.attempts, 'attempt')} made none. The work is on the branch: add tests, or name a command as "test" in beadloom.json, and run the bead again. "verify": [] takes work that nothing has checked.`
    case 'tests_weakened':
      return `The checks pass, but by weaker or fewer tests than on the work branch, still after ${counted(failure.attempts, 'attempt')}. The work is on the branch: read the diff, then allow the weaker tests, or run the bead again.`
    case 'secrets_found':
      return `The checks pass, but the work adds what looks like a secret, still after ${counted(failure.attempts, 'attempt')}. Nothing was published. Run the bead again; or read the diff and allow what is not a secret. A real one is best replaced where it was issued.`
    case 'runs_elsewhere':
      return `The checks pass, but the work changes files that run elsewhere, which nobody asked for, still after ${counted(failure.attempts, 'attempt')}: ${failure.files}. Nothing was published. Read the diff of these files and allow them, or run the bead again; "verification.elsewhere" in beadloom.json says which files are asked about.`
    case 'not_checked':
      return `The checks that could run pass, but nothing is known of the rest: ${failure.parts}. The work is kept. Make these tests run on the base and ${again}, or read the diff and take it as it is; "verification.acceptUnchecked" in beadloom.json takes all such work.`
    case 'judge_unanswered':
      return `Every command passed, but the judge "${failure.judge}" gave no answer: ${sentence(failure.detail, false)} The work is on the branch. When the model answers, ${again}; "required": false takes work without its answer.`
    case 'no_progress':
      return `Attempt ${failure.attempts} failed exactly like the one before it and changed nothing, so no further attempt was made. Read the digest: the bead may need a clearer description, or a hint when you run it again.`
    case 'too_many_sessions':
      return `All ${failure.sessions} sessions of this execution are used. Raise "limits.maxSessions" in beadloom.json, or ${again}.`
    case 'push_conflict':
      return `The work on ${failure.branch} conflicts with other work: ${sentence(failure.detail, false)} Run the bead again, and its agent is asked to merge the two first; or merge them by hand.`
    case 'publish_failed':
      return `The work is verified, but the project's remote cannot be reached: ${sentence(failure.detail, false)} It is safe in the hub; run the bead again when the remote is back.`
    case 'turn_limit':
      return `The agent used all of its ${failure.steps} steps. Raise "limits.maxSteps" in beadloom.json, ${orSplit}.`
    case 'budget_exhausted':
      return `${describeUsedUp(failure.limit)} ${asking === null ? 'What was done is kept: run the bead again, or split it.' : `Then ${again}.`}`
    case 'session_timeout':
      return `Stopped after ${durationText(failure.afterMs)}. ${asking === null ? 'Its work is on the branch; raise' : 'Raise'} "limits.executionTimeoutSeconds", ${orSplit}.`
    case 'plan_invalid':
      return `The architect gave no plan that can be used, even when asked again: ${failure.problems} Describe the bead more clearly, write the plan yourself (beadloom plan --help), or ${again}.`
    case 'subtask_failed':
      return `${capital(failure.subtask)} failed: ${sentence(failure.detail, false)} Read its log. Approved phases are on the branch: change the plan, or run the bead again, and it continues after them.`
    case 'phase_review_failed':
      return `The review of phase ${failure.phase} said no ${failure.attempts === 2 ? 'twice' : `${failure.attempts} times`}: ${sentence(failure.feedback, false)} Approved phases are on the branch: change the plan, or run the bead again, and it continues after them.`
    case 'server_restarted':
      return `The server stopped while this was running. ${capital(`${kept}${again}`)}.`
    default:
      return assertNever(failure)
  }
}

/** Only tests are called tests; anything else is a check. */
function stillFailing(types: readonly StepType[]): string {
  const [type, ...others] = new Set(types)
  if (others.length > 0) return 'The checks still fail'
  switch (type) {
    case 'test':
      return 'The tests still fail'
    case 'build':
      return 'The build still fails'
    case 'lint':
      return 'The linter still reports problems'
    default:
      return types.length === 1 ? 'A check still fails' : 'The checks still fail'
  }
}

/** The advice after a review without a result; `command` asks for another one. */
export const askAgain = (command: string): string => `ask for the review again: ${command}`

/** A part's own message: with a full stop, and with a capital if it `begins` a sentence. */
function sentence(text: string, begins = true): string {
  const trimmed = text.trim()
  const whole = /[.!?]$/.test(trimmed) ? trimmed : `${trimmed}.`
  return begins ? capital(whole) : whole
}

const exit = (code: number | null): string => (code === null ? '' : ` with exit code ${code}`)

const gibibytes = (bytes: number): string => `${Number((bytes / 1024 ** 3).toFixed(1))} GiB`

/** The commands that set these secrets, as a person types them. */
export const howToSet = ({ project, names }: { project: string; names: readonly string[] }): string =>
  names.map((name) => `beadloom secret set ${project} ${name}`).join(', ')
