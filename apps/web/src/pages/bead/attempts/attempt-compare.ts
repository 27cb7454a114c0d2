import { lastedBy } from '@beadloom/core/execution/lasted.ts'
import { compareDigests, type DigestVerdict } from '@beadloom/core/digest/compare-digests.ts'
import type { Verification } from '@beadloom/core/records/verification.ts'
import type { Attempt } from './attempts.ts'

/** The step that failed an attempt; null if none did, or if a re-check passed. */
export function failedStep({ checks, passed }: Pick<Attempt, 'checks' | 'passed'>): Verification | null {
  if (passed === true) return null
  return checks.at(-1)?.steps.find((step) => !step.passed) ?? null
}

/**
 * The reason why an attempt failed: the first two lines of the failed step's digest (how many checks failed, and the
 * first of them); without a digest, the step's summary; without a failed step, the end of its last failed session. Null
 * if nothing went wrong.
 */
export function causeOf(attempt: Pick<Attempt, 'checks' | 'passed' | 'sessions'>): string | null {
  const step = failedStep(attempt)
  if (step) {
    const lines = step.digest.split('\n').flatMap((one) => one.trim() || [])
    return lines.length > 0 ? lines.slice(0, 2).join(' · ') : step.summary || null
  }
  if (attempt.passed === true) return null
  const bad = attempt.sessions.findLast(({ outcome }) => outcome !== null && outcome !== 'success')
  return bad?.detail ? bad.detail : null
}

/** The exit code of the failed command, otherwise of the failed session; null if there is none. */
export function exitOf(attempt: Pick<Attempt, 'checks' | 'passed' | 'sessions'>): number | null {
  const step = failedStep(attempt)
  if (step) return step.exitCode
  const last = attempt.sessions.findLast(({ outcome }) => outcome !== null && outcome !== 'success')
  return attempt.passed === true ? null : (last?.exitCode ?? null)
}

export type Comparison = {
  /** Null if one of the two has not failed. */
  verdict: DigestVerdict | null
  both: string[]
  onlyBefore: string[]
  onlyAfter: string[]
}

/** Failures of two attempts: those in both, and those in only one. A finding counts as often as it occurs. */
export function compareAttempts(before: Attempt, after: Attempt): Comparison {
  const [one, other] = [failedStep(before), failedStep(after)]
  const left = [...(one?.findings ?? [])]
  const both: string[] = []
  const onlyAfter: string[] = []
  for (const finding of other?.findings ?? []) {
    const at = left.indexOf(finding)
    if (at < 0) onlyAfter.push(finding)
    else both.push(...left.splice(at, 1))
  }
  return { verdict: one && other ? compareDigests(one, other) : null, both, onlyBefore: left, onlyAfter }
}

export type Spent = { kind: string; ms: number }

/** Time spent in each kind of session, in the order in which they began; a running one counts until now. */
export function spentByKind({ sessions }: Pick<Attempt, 'sessions'>, now: number): Spent[] {
  const found = new Map<string, number>()
  for (const session of sessions)
    found.set(session.kind, (found.get(session.kind) ?? 0) + (lastedBy(session, now) ?? 0))
  return [...found].map(([kind, ms]) => ({ kind, ms }))
}

export function tokensOf({ sessions }: Pick<Attempt, 'sessions'>): { input: number; output: number } {
  return {
    input: sessions.reduce((sum, { tokens }) => sum + tokens.input, 0),
    output: sessions.reduce((sum, { tokens }) => sum + tokens.output, 0),
  }
}
