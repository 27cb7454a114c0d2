/**
 * Whether the tests that a change brings fail without it. A fact for people and reviewers, never a verdict.
 *
 * - `red`: all of them fail on the commit where the work began; `partly`: some do; `green`: none does.
 * - `unknown`: they could not be asked, and `text` says why.
 * - `no_tests`: the change has code and no test.
 */
export type RedGreen = {
  is: 'red' | 'partly' | 'green' | 'unknown' | 'no_tests'
  /** A sentence: "2 new tests, both fail without the change". */
  text: string
  /** The commit whose tests these are, and the one that they ran on. */
  commit: string
  base: string
}

/** What the chosen tests said on the start commit; `failures` null: the tool does not say how many. */
export type RedRun = { exitCode: number | null; failures: number | null; collected: number | null }

/** @param added new tests; 0: tests that were there have changed */
export function judgeRedGreen(added: number, files: number, run: RedRun): Pick<RedGreen, 'is' | 'text'> {
  const what =
    added > 0
      ? `${added} new ${added === 1 ? 'test' : 'tests'}`
      : `${files} changed test ${files === 1 ? 'file' : 'files'}`
  if (run.exitCode === null) return { is: 'unknown', text: `${what}: without the change they did not end in time` }
  if (run.exitCode === 0)
    return run.collected === 0
      ? { is: 'unknown', text: `${what}: the runner found none of them without the change` }
      : {
          is: 'green',
          text: `${what}, and ${added === 1 ? 'it passes' : added === 0 ? 'nothing in them fails' : 'none fails'} without the change, too`,
        }
  if (run.exitCode === 127 || run.exitCode === 126)
    return { is: 'unknown', text: `${what}: the command for just these could not be started` }
  const { failures } = run
  if (added > 1 && failures !== null && failures > 0 && failures < added && run.collected !== 0)
    return {
      is: 'partly',
      text: `${what}, and ${failures} of them ${failures === 1 ? 'fails' : 'fail'} without the change`,
    }
  const all = added === 0 ? 'which fail' : added === 1 ? 'it fails' : added === 2 ? 'both fail' : 'all fail'
  return { is: 'red', text: `${what}, ${all} without the change` }
}
