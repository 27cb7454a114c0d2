import { programIn } from '../execution/failure/failing-checks.ts'
import type { Verification } from '../execution/verification.ts'
import { oneLine } from '../text/one-line.ts'

/*
 * On the base every check runs, also after a build that fails: it may be about something else. What needed the build says so,
 * because its own output says anything but that.
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

/** It was not found because nothing made it, which is no program that somebody forgot to install. */
export function lacksBuild(checks: readonly Ended[], check: Ended): boolean {
  const program = programIn(check)
  return program !== null && program.includes('/') && failedBuild(checks, checks.indexOf(check)) !== undefined
}

const failedBuild = (checks: readonly Ended[], before: number): Ended | undefined =>
  checks.slice(0, before).find(({ type, passed }) => type === 'build' && !passed)

const isTestless = ({ type, passed, tests = [] }: Ended): boolean =>
  type === 'test' && !passed && tests.every((one) => one.passed === 0 && (one.ran ?? 0) === 0)
