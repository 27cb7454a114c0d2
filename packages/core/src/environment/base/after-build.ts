import { programIn } from '../../execution/failure/failing-checks.ts'
import type { Verification } from '../../records/verification.ts'
import { oneLine } from '../../text/one-line.ts'

/*
 * On the base every check runs, even after a failed build, which may not concern it. A check that needed the build says
 * so, because its own output does not.
 */

type Ended = Pick<Verification, 'name' | 'type' | 'passed' | 'tests' | 'summary' | 'digest'>

/** @param checks in the order in which they ran */
export function afterBuild<T extends Ended>(checks: readonly T[]): T[] {
  return checks.map((check, at) => {
    const build = failedBuild(checks, at)
    if (build === undefined || !isTestless(check)) return check
    return { ...check, summary: `no test ran, after ${oneLine(build.name)} failed: ${check.summary}` }
  })
}

/** Whether the program is missing because the build did not make it, rather than because nobody installed it. */
export function lacksBuild(checks: readonly Ended[], check: Ended): boolean {
  const program = programIn(check)
  return program !== null && program.includes('/') && failedBuild(checks, checks.indexOf(check)) !== undefined
}

const failedBuild = (checks: readonly Ended[], before: number): Ended | undefined =>
  checks.slice(0, before).find(({ type, passed }) => type === 'build' && !passed)

const isTestless = ({ type, passed, tests = [] }: Ended): boolean =>
  type === 'test' && !passed && tests.every((one) => one.passed === 0 && (one.ran ?? 0) === 0)
