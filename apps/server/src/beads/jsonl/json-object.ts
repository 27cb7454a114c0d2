import { isObject, type JsonObject } from '@beadloom/core/text/json-object.ts'

/** `mended`: it was not strict JSON, but the mistake had only one possible meaning. */
export type ReadLine = { object: JsonObject; mended: boolean } | { problem: string }

/** Reads one line of a JSONL file, as people, scripts and merges leave it. */
export function readJsonObject(line: string): ReadLine {
  // Repairs it before parsing: parsing a broken line costs as much as parsing twenty good ones, and a file may have
  // only broken ones.
  const plain = MENDABLE.test(line) ? mend(line) : line
  const read = tryParse(plain)
  if ('problem' in read) return read
  if (!isObject(read.value)) return notAnObject
  return { object: read.value, mended: plain !== line && isMistaken(line) }
}

const notAnObject = { problem: 'it is JSON, but not an object' }

function tryParse(text: string): { value: unknown } | { problem: string } {
  // The place in our code where a line could not be parsed is useless, and half the cost of a broken line.
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return { value: JSON.parse(text) }
  } catch (error) {
    return { problem: error instanceof Error ? error.message.slice(0, 120) : String(error) }
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

/** Whether a line that parses after the repair was really wrong before: a tab between two values is no mistake. */
const isMistaken = (line: string): boolean =>
  line.replaceAll(/[\t\r]/g, ' ') !== mend(line) || (line.match(TEXTS) ?? []).some((text) => /[\t\r]/.test(text))
const TEXTS = /"(?:[^"\\]|\\.)*"/g

/** A backslash that escapes nothing, or a control character. */
// eslint-disable-next-line no-control-regex
const MENDABLE = /(?:^|[^\\])(?:\\\\)*\\(?!["\\/bfnrt]|u[0-9a-fA-F]{4})|[\x00-\x1f]/

/**
 * Search-and-replace over the file leaves backslashes that escape nothing (`\o`), and editors leave raw tabs: each has
 * one obvious meaning. Any other mistake has more than one, and we do not guess.
 */
function mend(line: string): string {
  return (
    line
      .replace(/\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})|\\/g, (escape) => (escape === '\\' ? '\\\\' : escape))
      // eslint-disable-next-line no-control-regex
      .replace(/[\x00-\x1f]/g, ' ')
  )
}
