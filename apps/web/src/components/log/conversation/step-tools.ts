/** What a step needs of its pane. */
export type StepTools = {
  line(n: number): string | undefined
  /** What a call was given, by its line, where the server has said more than the log. */
  given(line: number): string | undefined
  isOpen(first: number): boolean | undefined
  flip(first: number, open: boolean): void
  toLog(first: number, last: number): void
  /** What is searched for. */
  mark: RegExp | null
  /** The session still runs. */
  live: boolean
}
