/**
 * What a session's log says, as a conversation. Every step names its lines in the log, first to last, both included, and
 * keeps little of them: who shows more reads it from the log. All of it is a claim, as everything in a log is.
 */
export type Step = { first: number; last: number } &
  /** The agent's own words, Markdown; `cut` characters of them were left out. */
  (
    | { is: 'said'; text: string; cut: number }
    /** A call of a tool and what came of it; null while it runs. `given` is what the log has of its arguments. */
    | { is: 'call'; tool: string; given: string; result: CallResult | null }
    /** A result whose call is above what was read. */
    | { is: 'result'; tool: string; result: CallResult }
    /** A part of the session that is not the agent's: checkout, setup, commit, push. `end` is null while it runs. */
    | { is: 'section'; title: string; command: string; end: SectionEnd | null; body: Body }
    /** A section that has the agent's words inside it begins or ends here. */
    | { is: 'border'; title: string; command: string; end: SectionEnd | null }
    | { is: 'thread'; agent: string; sub: number; task: string; end: string; steps: Step[] }
    | { is: 'mark'; of: MarkKind; text: string; body: Body | null }
    | { is: 'end'; text: string }
    /** What no agent wrote: lines of a command or of a program. */
    | { is: 'output'; body: Body }
    /** Lines that are not here yet. */
    | { is: 'gap' }
  )
export type StepOf<K extends Step['is']> = Extract<Step, { is: K }>

export type MarkKind = 'round' | 'fresh' | 'handover' | 'compaction' | 'retry' | 'warning' | 'note'
/** `head`, `tail`: its first line and its last ones, shortened, without what the log puts before them. */
export type Body = { first: number; last: number; lines: number; characters: number; head: string; tail: string[] }
export type CallResult = { ok: boolean; took: string; body: Body }
export type SectionEnd = { exit: number | null; took: string }
