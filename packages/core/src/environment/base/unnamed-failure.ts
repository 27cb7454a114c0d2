import { isSilent } from '../../digest/tests-run.ts'
import { isAftermath } from '../../digest/reading/aftermath.ts'
import type { Verification } from '../../records/verification.ts'
import { oneLine } from '../../text/one-line.ts'
import { shortened } from '../../text/shortened.ts'

/*
 * A command of tests may fail for a reason that is no test: a threshold of coverage, a limit of size, a script after
 * the tests. Nothing tells whether that, or something else, is wrong after the work.
 */

type Failed = Pick<Verification, 'type' | 'passed' | 'exitCode' | 'tool' | 'failures' | 'tests' | 'digest' | 'findings'>

/** Whether the tool that reported the failure names it. */
export const namesFailures = ({ tool, findings }: Pick<Failed, 'tool' | 'findings'>): boolean =>
  tool !== 'generic' && findings.length > 0

/** Whether tests ran, and no tool names a failure: if it fails on the base, no work can pass it. */
export const isUnnamed = (check: Failed): boolean =>
  check.type === 'test' && !check.passed && !namesFailures(check) && !isSilent(check.tests)

/** How such a check fails, as the end of a sentence. */
export function unnamedWords({ exitCode, failures, tests = [], digest }: Failed): string {
  if (exitCode === null) return 'tests run, and the command does not end in time'
  if ((failures ?? 0) > 0 || tests.some((one) => one.failures > 0))
    return 'tests fail, and the output does not name them'
  const line = lastReason(digest)
  return `the tests pass, and the command fails after them${line === '' ? '' : `: ${line}`}`
}

const LONGEST_LINE = 200
/** The words of coverage tools and of limits for what is missing. */
const MISSED = /\b(?:thresholds?|does not meet|not (?:met|reached)|exceed(?:s|ed)?)\b/i
const REASON = /\b(?:errors?|fail(?:s|ed|ure)?|fatal|exception|cannot|could not|not found)\b|\w(?:Error|Exception)\b/i
/** The counts of a runner ("0 failed"), and tests that passed, whatever their names say. */
const HARMLESS =
  /\b(?:0|no) (?:errors?|failures?|failed|failing)\b|\b(?:fail|failed|failures|errors?)[:=]? ?0\b|^\s*(?:[✓✔√]|ok\b|PASS\b)/i

/** The last line that gives a reason; the counts of some runners come after it. Else the last line. */
function lastReason(digest: string): string {
  const lines = digest.split('\n').filter((line) => line.trim() !== '' && !isAftermath(line) && !HEADS.test(line))
  const telling = lines.filter((line) => !HARMLESS.test(line))
  const last = (words: RegExp) => telling.findLast((line) => words.test(line))
  const reason = last(MISSED) ?? last(REASON) ?? lines.at(-1) ?? ''
  return shortened(oneLine(reason), LONGEST_LINE)
}

/** Lines of the digest itself. */
const HEADS = /^(?:\[[A-Z]+\] Tests failed \(unable|End of the output:$|…$|\.\.\.\(truncated)/
