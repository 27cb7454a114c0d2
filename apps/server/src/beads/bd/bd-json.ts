import { TrackerError } from '../../ports/tracker.ts'
import { isObject, type JsonObject } from '@beadloom/core/text/json-object.ts'
import { valueWithin } from '@beadloom/core/text/json-values.ts'
import type { BdEnd } from './run-bd.ts'

/**
 * Messages of `bd` while another process holds the database, when waiting helps. "blocked by open issues" is about one
 * bead and must not hold up the others.
 */
const BUSY =
  /\block(?:s|ed)?\b|exclusive|journal|read[- ]only mode|database is read only|too many connections|connection refused/i
const MAX_TEXT = 300
/** As many as in a bead with ten thousand comments. */
const MOST_VALUES = 100_000

/**
 * A command's answer. Releases report failures by the exit code, by an `error` on either stream, or by an empty answer
 * with any exit code. Throws `TrackerError` with the program's own message.
 */
export function answerOf(what: string, end: BdEnd): unknown {
  const value = valueWithin(end.stdout, MOST_VALUES)
  const answer = isObject(value) && 'data' in value && 'schema_version' in value ? value['data'] : value
  const ok = end.code === 0 && answer !== undefined && !(isObject(answer) && 'error' in answer)
  if (ok) return answer
  throw problemOf(what, end)
}

export function problemOf(what: string, end: BdEnd): TrackerError {
  const said = errorIn(end.stdout) ?? errorIn(end.stderr) ?? firstLine(end.stderr) ?? `it exited with ${end.code}`
  return new TrackerError(BUSY.test(said) ? 'busy' : 'broken', `${what}: ${said.slice(0, MAX_TEXT)}`)
}

export const listOf = (answer: unknown): JsonObject[] =>
  (Array.isArray(answer) ? answer : [answer]).filter((one) => isObject(one))

function errorIn(text: string): string | null {
  const value = valueWithin(text, MOST_VALUES)
  if (!isObject(value)) return null
  const inner = isObject(value['data']) ? value['data'] : value
  const [first] = Array.isArray(inner['failed']) ? inner['failed'] : []
  // Since 1.3, an update only counts the beads that failed, and gives the reason beside each.
  const said = isObject(first) && typeof first['error'] === 'string' ? first['error'] : inner['error']
  return typeof said === 'string' ? said : null
}

const firstLine = (text: string): string | null =>
  text
    .split('\n')
    .map((line) => line.replace(/^Error:? /, '').trim())
    .find((line) => line !== '' && !line.startsWith('Warning:')) ?? null
