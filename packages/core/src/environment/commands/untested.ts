import { oneLine } from '../../text/one-line.ts'

/*
 * Tests without a known command. An agent that is told to write some would be paid for work that nothing checks.
 */

const LONGEST_PATH = 120

/** `file`: the path of one of the tests. */
export const untestedText = (file: string): string =>
  `There are tests, such as ${oneLine(file).slice(0, LONGEST_PATH)}, but no command that runs them was found, so nothing starts.`

export const UNTESTED_FIX =
  'Name the command as "test" in beadloom.json, with what it needs as "setup"; "verify": [] means that nothing is checked.'

/** Folders whose tests no command runs, and what to do. */
export function leftWords(left: readonly string[]): string {
  const names = left.slice(0, 3).map((folder) => oneLine(folder).slice(0, LONGEST_PATH))
  const have = left.length === 1 ? '1 more folder has' : `${left.length} more folders have`
  return `${have} tests that do not run (${names.join(', ')}${left.length > 3 ? ', …' : ''}), so work there is not checked: name them as "verify" in beadloom.json.`
}
