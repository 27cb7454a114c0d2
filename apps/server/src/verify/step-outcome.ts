import { failingOnBase, isOnBase } from '@beadloom/core/environment/base/beside-base.ts'
import type { BaseCheck } from '@beadloom/core/environment/base/proof.ts'
import type { Verification } from '@beadloom/core/records/verification.ts'
import { ranNothing } from '@beadloom/core/digest/tests-run.ts'
import { hasNothingToRun } from '@beadloom/core/verdict/nothing-to-run.ts'
import { oneLine } from '@beadloom/core/text/one-line.ts'
import type { StepEnd } from './step-reader.ts'

export type StepOutcome = BaseCheck & Pick<Verification, 'fingerprint' | 'onBase'>

/**
 * The result of a check that has ended.
 *
 * @param brokeOff why its session broke off, if it did
 * @param base the checks' results on the base: failures that the base has too do not count against the work
 */
export function outcomeOfStep(
  { step, exitCode, durationMs, digest }: StepEnd,
  brokeOff?: string,
  base: readonly BaseCheck[] = [],
): StepOutcome {
  const { name, type, command } = step
  const hollow = exitCode === 0 && type === 'test' ? hollowOf(step, digest, failingOnBase(base, step)) : null
  // A runner that reports failed tests is believed, whatever the command's exit code.
  const denied = exitCode === 0 && type === 'test' && digest.tests.some(({ failures }) => failures > 0)
  const good = exitCode === 0 && hollow === null && !denied
  const onBase =
    !good && hollow === null && brokeOff === undefined && isOnBase(failingOnBase(base, step), { exitCode, digest })
  const late =
    exitCode === null ? `${brokeOff ?? `It did not end within ${Math.round(step.timeoutMs / 1000)} s`}.\n` : ''
  // Without a known tool, the digest of a command that passed could only say what it did not find.
  const summary = late ? late.trimEnd() : good ? passedWords(step, digest) : (hollow?.summary ?? digest.summary)
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
    digest: good ? '' : (hollow?.digest ?? `${late}${digest.digest}`),
    fingerprint: good || onBase ? '' : (hollow?.summary ?? digest.fingerprint),
    findings: good ? [] : hollow ? [hollow.summary] : digest.findings,
    ...(onBase && { onBase }),
  }
}

/** Why an exit code 0 says nothing about the work: no test ran, or some did not finish. Null: it says something. */
function hollowOf(
  { command }: StepEnd['step'],
  { tests, collected, unread, summary: unreadSummary, digest }: StepEnd['digest'],
  former: BaseCheck | null,
): { summary: string; digest: string } | null {
  // The list of tests that ran is in the unreadable text.
  if (unread) return { summary: unreadSummary, digest }
  if (hasNothingToRun(command, { tests, collected })) return null
  if (ranNothing(tests)) {
    const summary = 'no test ran'
    return {
      summary,
      digest: `[TEST] ${summary}\nThe command \`${command}\` ended with 0 and ran no test, which says nothing about the work. Add tests that it finds. If the command has another purpose, say so with its "type" in "verify" of beadloom.json.`,
    }
  }
  // Tests that could not run on the base either do not count against the work.
  const known = new Set((former?.tests ?? []).flatMap((one) => one.unrun))
  const unrun = tests.flatMap((one) => one.unrun).filter((part) => !known.has(part))
  if (unrun.length === 0) return null
  const summary = `the tests of ${oneLine(unrun.slice(0, 3).join(', '))} did not finish`
  return {
    summary,
    digest: `[TEST] ${summary}\nThe command \`${command}\` ended with 0, but these tests did not finish: a program that ends in the middle of its tests proves nothing. Find out why it ends early, and let the tests finish.`,
  }
}

/** A pass by an exit code alone proves less than one by tests, and says so. */
function passedWords({ name, type, command }: StepEnd['step'], digest: StepEnd['digest']): string {
  if (type === 'test' && hasNothingToRun(command, digest))
    return `${name} passed by its exit code alone; there are benchmarks or examples, and no test to run`
  if (type === 'test' && digest.tests.length === 0)
    return `${name} passed by its exit code alone; no test runner was recognised in its output`
  return digest.tool === 'generic' ? `${name} passed` : digest.summary
}
