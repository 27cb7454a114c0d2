import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { Session } from '@beadloom/core/records/session.ts'
import type { Verification, VerificationPurpose } from '@beadloom/core/records/verification.ts'

/** One verification of one commit, with its steps. */
export type CheckRound = {
  purpose: VerificationPurpose
  /** 1, or 2 for the re-check of a failed one on the same commit. */
  run: number
  commit: string
  steps: Verification[]
  passed: boolean
}

export type Attempt = {
  number: number
  sessions: Session[]
  checks: CheckRound[]
  /** Null before the first verification. */
  passed: boolean | null
  /** Its checks failed, but passed when repeated on the same commit. */
  flaky: boolean
  verdict: Verification['verdict']
  startedAt: number | null
  endedAt: number | null
  tokens: number
}

/** Sessions and verification steps by attempt, the newest first. */
export function attemptsOf({ sessions, verifications }: Pick<ExecutionView, 'sessions' | 'verifications'>): Attempt[] {
  const numbers = new Set([...sessions, ...verifications].map(({ attempt }) => Math.max(1, attempt)))
  return [...numbers]
    .toSorted((a, b) => b - a)
    .map((number) => {
      const own = sessions.filter((one) => Math.max(1, one.attempt) === number)
      const checks = checkRounds(verifications.filter((one) => Math.max(1, one.attempt) === number))
      const attempts = checks.filter(({ purpose }) => purpose === 'attempt')
      const ends = own.map(({ endedAt }) => endedAt)
      return {
        number,
        sessions: own,
        checks,
        passed: checks.at(-1)?.passed ?? null,
        flaky: attempts.some(({ passed }) => passed) && attempts.some(({ passed }) => !passed),
        verdict: verdictOf(checks.flatMap(({ steps }) => steps)),
        startedAt: own.length === 0 ? null : Math.min(...own.map(({ startedAt }) => startedAt)),
        endedAt: own.length === 0 || ends.includes(null) ? null : Math.max(...ends.map((end) => end ?? 0)),
        tokens: own.reduce((sum, { tokens }) => sum + tokens.input + tokens.output, 0),
      }
    })
}

/** A new failure matters more than a remaining one, and that more than a fixed one. */
function verdictOf(steps: readonly Verification[]): Verification['verdict'] {
  return (['new', 'same', 'fewer'] as const).find((one) => steps.some(({ verdict }) => verdict === one)) ?? null
}

/** Rounds in the order in which they ran; each has its own steps. */
function checkRounds(verifications: readonly Verification[]): CheckRound[] {
  const rounds = new Map<string, CheckRound>()
  for (const step of verifications) {
    const key = `${step.purpose} ${step.run} ${step.commit}`
    const round = rounds.get(key)
    if (round) {
      round.steps.push(step)
      round.passed &&= step.passed
    } else
      rounds.set(key, {
        purpose: step.purpose,
        run: step.run,
        commit: step.commit,
        steps: [step],
        passed: step.passed,
      })
  }
  for (const { steps } of rounds.values()) steps.sort((a, b) => a.step - b.step)
  return [...rounds.values()]
}

/** The last failure, if nothing has passed since: its digest says why the execution ended. */
export function lastFailure(verifications: readonly Verification[]): Verification | null {
  const last = verifications.at(-1)
  if (last === undefined) return null
  const together = verifications.filter(
    ({ attempt, purpose, run }) => attempt === last.attempt && purpose === last.purpose && run === last.run,
  )
  return together.find(({ passed }) => !passed) ?? null
}

/** The first lines of a digest, and whether there are more. */
export function firstLines(text: string, most: number): { text: string; more: number } {
  const lines = text.trimEnd().split('\n')
  return { text: lines.slice(0, most).join('\n'), more: Math.max(0, lines.length - most) }
}

/** "Attempt 2"; with a plan, the origin of one tree: "Phase 2, fixed" or "Phase 2, attempt 2". */
export function attemptTitle(
  { number, sessions }: Pick<Attempt, 'number' | 'sessions'>,
  inPhases: ExecutionView['inPhases'] = [],
): string {
  const own = inPhases.filter(({ id }) => sessions.some((one) => one.id === id))
  const [first] = own
  if (!first) return `Attempt ${number}`
  const again = first.phaseAttempt > 1 ? `, attempt ${first.phaseAttempt}` : ''
  return `Phase ${first.phase}${again}${own.some(({ role }) => role === 'fix') ? ', fixed' : ''}`
}
