export type LogMeta = {
  epoch: string
  lines: number
  bytes: number
  complete: boolean
  blockLines: number
  sections: LogSection[]
}

/**
 * An entry of a log's outline; steps and tool calls are inside sections. `last` is null while it lasts; the `exit` of a
 * call is 0 or 1, and a step's is null. Times are the server's.
 */
export type LogSection = {
  kind: 'section' | 'step' | 'call'
  title: string
  command: string | null
  first: number
  last: number | null
  exit: number | null
  startedAt: number
  endedAt: number | null
}

/** The arguments of a tool call, by its line; the log itself has the first 200 characters. */
export type LogCall = { line: number; tool: string; arguments: string }
/** At most this many lines in one answer. */
export const MOST_CALL_LINES = 8192
