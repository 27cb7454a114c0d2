import { oneLine } from '../text/one-line.ts'

/*
 * Tests that nobody knows how to run. An agent that is told to make some would be paid for work that nothing checks.
 */

const LONGEST_PATH = 120

/** `file`: one of the tests; a path of the repository's. */
export const untestedText = (file: string): string =>
  `There are tests, such as ${oneLine(file).slice(0, LONGEST_PATH)}, but no command that runs them was found, so nothing starts.`

export const UNTESTED_FIX =
  'Name the command as "test" in beadloom.json, with what it needs as "setup"; "verify": [] means that nothing is checked.'
