import { isObject, type JsonObject } from '@beadloom/core/text/json-object.ts'

/** `mended`: it was not strict JSON, but the mistake had only one meaning. */
export type ReadLine = { object: JsonObject; mended: boolean } | { problem: string }

/** Reads one line of a JSONL file, as people, scripts and merges leave it. */
export function readJsonObject(line: string): ReadLine {
  const strict = tryParse(line)
  if ('value' in strict) return isObject(strict.value) ? { object: strict.value, mended: false } : notAnObject
  const plain = mend(line)
  // Nothing was to be mended: a second look costs as much as the first, and a file may have nothing but such lines.
  if (plain === line) return { problem: strict.problem }
  const mended = tryParse(plain)
  if (!('value' in mended)) return { problem: strict.problem }
  return isObject(mended.value) ? { object: mended.value, mended: true } : notAnObject
}

const notAnObject = { problem: 'it is JSON, but not an object' }

function tryParse(text: string): { value: unknown } | { problem: string } {
  // Where in our code a line could not be read is of no use, and half of what a broken line costs.
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

/**
 * Search-and-replace over the file leaves backslashes that escape nothing (`\o`), and editors leave raw tabs: each has
 * one obvious meaning. Any other mistake has more than one, and is not guessed at.
 */
function mend(line: string): string {
  return (
    line
      .replace(/\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})|\\/g, (escape) => (escape === '\\' ? '\\\\' : escape))
      // eslint-disable-next-line no-control-regex
      .replace(/[\x00-\x1f]/g, ' ')
  )
}
