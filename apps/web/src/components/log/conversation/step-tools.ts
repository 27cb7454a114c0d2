/** Functions that a step gets from its pane. */
export type StepTools = {
  line(n: number): string | undefined
  /** The arguments of a call, by its line, if the server has more of them than the log. */
  given(line: number): string | undefined
  isOpen(first: number): boolean | undefined
  flip(first: number, open: boolean): void
  toLog(first: number, last: number): void
  /** The pattern being searched for. */
  mark: RegExp | null
  /** The session still runs. */
  live: boolean
}
