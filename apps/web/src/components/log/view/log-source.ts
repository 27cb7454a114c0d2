/** The server's facts about lines besides their text. Times are milliseconds UTC. */
export type LineMarks = { timeOf(line: number): number | null; isStderr(line: number): boolean }

/** The source of a view's lines; a `LogFeed` is one. */
export type LogSource = {
  readonly lines: number
  readonly partial: string | null
  readonly version: number
  readonly marks: LineMarks
  line(n: number): string | undefined
  styleOf(block: number): string | null
  want(lines: readonly number[]): void
}

/** Content of a row: a line, the line that has no newline yet, or the end of the log. */
export type LineAt = { is: 'line' | 'partial'; line: number }
export type RowAt = LineAt | { is: 'end' }
