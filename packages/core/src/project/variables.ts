/*
 * Variables that a project gives its commands, and secrets that it asks for: their names come from a repository, and become
 * part of an environment in which our own programs run, too.
 */

const NAME = /^[A-Za-z_]\w{0,99}$/
export const MOST_VARIABLES = 100
export const LONGEST_VALUE = 4000
export const MOST_SECRETS = 20
/** A shorter one would be found in every output, and one of several lines in none. */
export const LEAST_SECRET = 8

/** What the session itself is run with: where programs are, how git and the model are reached. */
const OURS = /^(?:PATH|HOME|(?:BEADLOOM|OPENAI|ANTHROPIC|GIT|LD)_.*|(?:HTTPS?|ALL|NO|FTP)_PROXY)$/i

export const isVariable = (name: string): boolean => NAME.test(name) && !OURS.test(name)
export const VARIABLE_SAYS =
  'must be the name of a variable, and none that Beadloom sets itself (PATH, HOME, BEADLOOM_…, OPENAI_…, ANTHROPIC_…, GIT_…, LD_…, …_PROXY)'

/** What is wrong with the value of a secret, as the end of a sentence; it never has the value in it. Null: nothing. */
export function secretProblem(value: string): string | null {
  if (value.length < LEAST_SECRET) return `is shorter than ${LEAST_SECRET} characters: it could not be kept out of logs`
  if (value.length > LONGEST_VALUE) return `is longer than ${LONGEST_VALUE} characters`
  return /^[\x21-\x7e]+$/.test(value) ? null : 'has a blank, a line break or another character that no token has'
}
