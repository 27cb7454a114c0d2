/*
 * Variables for a project's commands, and secrets that it asks for: their names come from a repository, and our own
 * programs run in the same environment.
 */

const NAME = /^[A-Za-z_]\w{0,99}$/
export const MOST_VARIABLES = 100
export const LONGEST_VALUE = 4000
export const MOST_SECRETS = 20
/** A shorter one would be found in every output, and one of several lines in none. */
export const LEAST_SECRET = 8

/** The session's own variables: paths of programs, access to git and the model. */
const OURS = /^(?:PATH|HOME|(?:BEADLOOM|OPENAI|ANTHROPIC|GIT|LD)_.*|(?:HTTPS?|ALL|NO|FTP)_PROXY)$/i

export const isVariable = (name: string): boolean => NAME.test(name) && !OURS.test(name)
export const VARIABLE_SAYS =
  'must be the name of a variable, and none that Beadloom sets itself (PATH, HOME, BEADLOOM_…, OPENAI_…, ANTHROPIC_…, GIT_…, LD_…, …_PROXY)'

/** The problem of a secret's value, as the end of a sentence that never contains the value. Null: none. */
export function secretProblem(value: string): string | null {
  if (value.length < LEAST_SECRET) return `is shorter than ${LEAST_SECRET} characters: it could not be kept out of logs`
  if (value.length > LONGEST_VALUE) return `is longer than ${LONGEST_VALUE} characters`
  return /^[\x21-\x7e]+$/.test(value) ? null : 'has a blank, a line break or another character that no token has'
}
