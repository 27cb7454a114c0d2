import { failingOnBase, isOnBase } from '@beadloom/core/execution/beside-base.ts'
import type { BaseCheck } from '@beadloom/core/environment/proof.ts'
import type { Verification } from '@beadloom/core/execution/verification.ts'
import { ranNothing } from '@beadloom/core/digest/tests-run.ts'
import type { StepEnd } from './step-reader.ts'

export type StepOutcome = BaseCheck & Pick<Verification, 'fingerprint' | 'onBase'>

/**
 * What a check says once it has ended.
 *
 * @param brokeOff why its session broke off meanwhile
 * @param base what the checks say about the base: what fails there, too, is not counted against the work
 */
export function outcomeOfStep(
  { step, exitCode, durationMs, digest }: StepEnd,
  brokeOff?: string,
  base: readonly BaseCheck[] = [],
): StepOutcome {
  const { name, type, command } = step
  const empty = exitCode === 0 && type === 'test' && ranNothing(digest.tests)
  const good = exitCode === 0 && !empty
  const onBase = !good && !empty && brokeOff === undefined && isOnBase(failingOnBase(base, step), { exitCode, digest })
  const late =
    exitCode === null ? `${brokeOff ?? `It did not end within ${Math.round(step.timeoutMs / 1000)} s`}.\n` : ''
  // Of a command that no tool is known of, the digest could only say what it did not find.
  const summary = late ? late.trimEnd() : good ? passedWords(step, digest) : empty ? NO_TEST : digest.summary
  return {
    name,
    type,
    command,
    passed: good || onBase,
    exitCode,
    durationMs,
    tool: digest.tool,
    failures: good ? 0 : digest.failures,
    collected: digest.collected,
    ...(digest.tests.length > 0 && { tests: digest.tests }),
    summary: onBase ? `fails on the base too: ${summary}` : summary,
    digest: good ? '' : empty ? emptyDigest(step) : `${late}${digest.digest}`,
    fingerprint: good || onBase ? '' : empty ? NO_TEST : digest.fingerprint,
    findings: good ? [] : empty ? [NO_TEST] : digest.findings,
    ...(onBase && { onBase }),
  }
}

const NO_TEST = 'no test ran'

const emptyDigest = ({ command }: StepEnd['step']): string =>
  `[TEST] ${NO_TEST}\nThe command \`${command}\` ended with 0 and ran no test, which says nothing about the work. Add tests that it finds; what the command is for, "type" in "verify" of beadloom.json says.`

/** A pass by an exit code alone is worth less than one by tests, and says so. */
function passedWords({ name, type }: StepEnd['step'], digest: StepEnd['digest']): string {
  if (digest.tool !== 'generic') return digest.summary
  return type === 'test' ? `${name} passed by its exit code; no test runner is known in its output` : `${name} passed`
}
