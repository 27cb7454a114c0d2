/**
 * A step of a session's log, read as a conversation. Every step names its lines in the log, first to last, both
 * included, and keeps little of their text; to show more, read the log. Every step is a claim, as everything in a log
 * is.
 */
export type Step = { first: number; last: number } &
  /** The agent's own words, Markdown; `cut` characters of them were left out. */
  (
    | { is: 'said'; text: string; cut: number }
    /** A call of a tool and its result; null while it runs. `given`: its arguments, as far as the log has them. */
    | { is: 'call'; tool: string; given: string; result: CallResult | null }
    /** A result whose call is above the lines that were read. */
    | { is: 'result'; tool: string; result: CallResult }
    /** A part of the session that is not the agent's: checkout, setup, commit, push. `end` is null while it runs. */
    | { is: 'section'; title: string; command: string; end: SectionEnd | null; body: Body }
    /** The begin or end of a section that contains the agent's words. */
    | { is: 'border'; title: string; command: string; end: SectionEnd | null }
    | { is: 'thread'; agent: string; sub: number; task: string; end: string; steps: Step[] }
    | { is: 'mark'; of: MarkKind; text: string; body: Body | null }
    | { is: 'end'; text: string }
    /** Output of a command or a program, not of an agent. */
    | { is: 'output'; body: Body }
    /** Lines that are not here yet. */
    | { is: 'gap' }
  )
export type StepOf<K extends Step['is']> = Extract<Step, { is: K }>

export type MarkKind = 'round' | 'fresh' | 'handover' | 'compaction' | 'retry' | 'warning' | 'note'
/** `head`, `tail`: its first line and its last ones, shortened, without the log's indent. */
export type Body = { first: number; last: number; lines: number; characters: number; head: string; tail: string[] }
export type CallResult = { ok: boolean; took: string; body: Body }
export type SectionEnd = { exit: number | null; took: string }
