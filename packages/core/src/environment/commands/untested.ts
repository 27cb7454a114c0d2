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
