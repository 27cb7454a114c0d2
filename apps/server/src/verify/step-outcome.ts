import { failingOnBase, isOnBase } from '@beadloom/core/execution/beside-base.ts'
import type { BaseCheck } from '@beadloom/core/environment/proof.ts'
import type { Verification } from '@beadloom/core/execution/verification.ts'
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
  const good = exitCode === 0
  const onBase = !good && brokeOff === undefined && isOnBase(failingOnBase(base, step), { exitCode, digest })
  const late =
    exitCode === null ? `${brokeOff ?? `It did not end within ${Math.round(step.timeoutMs / 1000)} s`}.\n` : ''
  // Of a command that no tool is known of, the digest could only say what it did not find.
  const summary = late ? late.trimEnd() : good && digest.tool === 'generic' ? `${name} passed` : digest.summary
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
    summary: onBase ? `fails on the base too: ${summary}` : summary,
    digest: good ? '' : `${late}${digest.digest}`,
    fingerprint: good || onBase ? '' : digest.fingerprint,
    findings: good ? [] : digest.findings,
    ...(onBase && { onBase }),
  }
}
