import type { Database } from 'better-sqlite3'
import type { ExecutionId } from '@beadloom/core/ids.ts'
import type { PromptLength } from '@beadloom/core/execution/signs.ts'

/** What the events `prompt` say, which the server itself writes; a row without one of the numbers is left out. */
export function promptLengths(db: Database): (execution: ExecutionId) => PromptLength[] {
  const select = db.prepare<[string], Record<keyof PromptLength, unknown>>(
    `SELECT data ->> 'attempt' AS attempt, data ->> 'chars' AS chars, data ->> 'taskChars' AS taskChars
     FROM event WHERE execution = ? AND type = 'prompt' ORDER BY seq LIMIT 100`,
  )
  return (execution) => select.all(execution).filter(isLength)
}

const isLength = (row: Record<keyof PromptLength, unknown>): row is PromptLength =>
  [row.attempt, row.chars, row.taskChars].every((value) => typeof value === 'number')
