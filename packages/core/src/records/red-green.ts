import type { SessionId } from './ids.ts'
import { counted } from '../text/count-text.ts'

/**
 * Whether the tests that a change brings fail without it. A fact for people and reviewers, never a verdict.
 *
 * - `red`: all of them fail on the commit where the work began; `partly`: some do; `green`: none does.
 * - `unknown`: they could not run, and `text` says why.
 * - `running`: they run now.
 * - `no_tests`: the change has code and no test.
 */
export type RedGreen = {
  is: 'red' | 'partly' | 'green' | 'unknown' | 'running' | 'no_tests'
  /** A sentence: "2 new tests, both fail without the change". */
  text: string
  /** The commit whose tests these are, and the one that they ran on. */
  commit: string
  base: string
  /** The session that ran them; null: none did. */
  session: SessionId | null
}

/** The chosen tests' result on the start commit; `failures` null: the tool does not count them. */
export type RedRun = { exitCode: number | null; failures: number | null; collected: number | null }

/** @param added the number of new tests; 0: existing tests have changed, in this many `files` */
export function judgeRedGreen(added: number, files: number, run: RedRun): Pick<RedGreen, 'is' | 'text'> {
  const what = whatOf(added, files)
  const { exitCode, failures, collected } = run
  if (exitCode === null) return { is: 'unknown', text: `${what}: without the change they did not end in time` }
  if (exitCode === 126 || exitCode === 127)
    return { is: 'unknown', text: `${what}: the command for just these could not be started` }
  if (exitCode === 0 && collected === 0)
    return { is: 'unknown', text: `${what}: the runner found none of them without the change` }
  if (exitCode === 0)
    return { is: 'green', text: `${what}, ${added === 1 ? 'and it passes' : 'and none fails'} without the change` }
  // If fewer were collected than added, a file could not even be loaded, so its tests failed.
  const loaded = collected === null || collected >= added
  if (added > 1 && failures !== null && failures > 0 && failures < added && loaded)
    return {
      is: 'partly',
      text: `${what}, ${failures} of them ${failures === 1 ? 'fails' : 'fail'} without the change`,
    }
  return { is: 'red', text: `${what}, ${allOf(added, files)} without the change` }
}

/** The answer for tests that cannot be run alone. */
export const notAsked = (added: number, files: number, why: string): Pick<RedGreen, 'is' | 'text'> => ({
  is: 'unknown',
  text: `${whatOf(added, files)}: ${why}`,
})

const whatOf = (added: number, files: number): string =>
  added > 0 ? counted(added, 'new test') : counted(files, 'changed test file')

function allOf(added: number, files: number): string {
  const count = added > 0 ? added : files
  if (count === 1) return added > 0 ? 'it fails' : 'which fails'
  return count === 2 ? 'both fail' : 'all fail'
}
