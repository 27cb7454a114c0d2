import { findBlocked } from '@beadloom/core/bead/blocked.ts'
import { oneLine } from '@beadloom/core/text/one-line.ts'
import { describeUsedUp } from '@beadloom/core/budget/used-up.ts'
import type { ModelTrouble } from '@beadloom/core/records/failure/failure.ts'
import type { SessionCause, SessionOutcome } from '@beadloom/core/records/session.ts'
import type { ResultReason } from '@beadloom/core/log/event-line.ts'
import type { Exit } from '../ports/sandbox.ts'
import type { Recorded } from '../ports/recorder.ts'
import { isStoppedOutside } from '../execution/ends.ts'
import type { StopReason } from '../execution/stop.ts'

export type SessionEvidence = {
  exit: Exit
  recorded: Pick<Recorded, 'result' | 'messages'>
  /** Why we stopped it; null when it ended by itself. */
  stopped: StopReason | null
  /** Whether this session has an agent whose own words count. */
  speaks: boolean
  /** Why the last call of its model failed, in the gateway's words; null: it did not. */
  problem?: ModelProblem | null
}

/** `trouble` null: asking again would not help. */
export type ModelProblem = { text: string; trouble: ModelTrouble | null }

const STOPPED_OUTSIDE = 'the container was stopped from outside Beadloom'
const DISAPPEARED = 'the container disappeared while it ran'
export const UNSEEN = 'its supervisor in the container was killed'
/** The kernel killed the agent, or the container as a whole. */
const OUT_OF_MEMORY = 'the container ran out of memory ("limits.memoryMb" in beadloom.json)'

export type Verdict = {
  outcome: SessionOutcome
  detail: string
  blocked: string | null
  cause: SessionCause | null
}

/**
 * Judges how a session ended. Our own stop comes first, because an exit code does not tell who sent the signal; then
 * the engine's knowledge; then BLOCKED, which can only stop work; the session's own claim comes last.
 */
export function judgeSession({ exit, recorded, stopped, speaks, problem = null }: SessionEvidence): Verdict {
  const blocked = speaks ? findBlocked(recorded.messages) : null
  const verdict = (outcome: SessionOutcome, detail: string, cause: SessionCause | null = null): Verdict => ({
    outcome,
    detail,
    blocked,
    cause,
  })
  if (stopped) return verdict(...endOfStop(stopped))
  const { result } = recorded
  const isDone = result?.outcome === 'success' && exit.code === 0
  if (exit.lost && exit.code < 0) return verdict('infra_error', lostWords(exit))
  if (blocked !== null) return verdict('blocked', blocked)
  if (!isDone && isStoppedOutside(exit, result?.reason ?? null))
    return verdict('infra_error', STOPPED_OUTSIDE, 'stopped_outside')
  if (!result) {
    if (exit.oomKilled) return verdict('infra_error', OUT_OF_MEMORY, 'out_of_memory')
    const why = exit.killed
      ? `the container was killed from outside (exit code ${exit.code})`
      : `the process ended with exit code ${exit.code} and no result`
    return verdict('infra_error', why)
  }
  if (result.outcome === 'success' && exit.code !== 0) {
    return verdict('failed', `it reported success but ended with exit code ${exit.code}`)
  }
  // The kernel kills the largest process, which need not be the one that reports it.
  if (exit.oomKilled && result.reason === 'agent_failed' && result.exitCode === KILLED) {
    return verdict('infra_error', OUT_OF_MEMORY, 'out_of_memory')
  }
  const unanswered = result.outcome === 'failed' && problem !== null && endedByItsAgent.has(result.reason)
  if (!unanswered) return verdict(result.outcome, result.text)
  return verdict(result.outcome, withProblem(problem.text, result.text), problem.trouble ?? 'refused')
}

/** 128 + SIGKILL, as a shell reports it. */
const KILLED = 137

/** Failures of the agent itself, not of later steps: its push, or the state of the repository. */
const endedByItsAgent: ReadonlySet<ResultReason | undefined> = new Set(['agent_failed', 'model_failed'])

const lostWords = ({ unseen, why }: Exit): string =>
  unseen ? UNSEEN : why === undefined ? DISAPPEARED : `${DISAPPEARED}: ${why}`

/** Enough to search the log for. */
const MOST_OF_AN_AGENTS_WORDS = 300

/**
 * Agents have words of their own for a call that failed ("high demand", "terminated"), and some are wrong. The gateway
 * knows what happened; an agent that only repeats it is not quoted.
 */
function withProblem(problem: string, said: string): string {
  if (said.includes(problem)) return problem
  const words = oneLine(said)
  const short =
    words.length > MOST_OF_AN_AGENTS_WORDS ? `${words.slice(0, MOST_OF_AN_AGENTS_WORDS).toWellFormed()}…` : words
  return `${problem} (${short.replace(/[.\s]+$/, '')})`
}

function endOfStop(stopped: StopReason): [SessionOutcome, string] {
  switch (stopped.stop) {
    case 'timeout':
      return [
        'timeout',
        stopped.reason === 'silence' ? 'stopped: no output for too long' : 'stopped: time limit reached',
      ]
    case 'budget':
      return ['failed', `stopped: ${describeUsedUp(stopped.limit)}`]
    case 'unanswered':
      return ['failed', `stopped: ${stopped.problem}`]
    case 'cancelled':
      return ['cancelled', 'cancelled']
    case 'pause_over':
      return ['cancelled', 'stopped: nobody resumed it']
    case 'detach':
      return ['cancelled', 'the server went down']
  }
}
