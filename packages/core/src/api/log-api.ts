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
 * call is 0 or 1, that of a step null. Times are the server's.
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
