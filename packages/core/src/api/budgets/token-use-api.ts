/** The purposes of tokens. `retry`: another attempt at work after its checks or its agent failed. */
export const useKinds = ['work', 'retry', 'review', 'plan'] as const
export type UseKind = (typeof useKinds)[number]

/** The keys by which use can be added up. */
export const useKeys = ['day', 'bead', 'model', 'kind', 'agent', 'phase'] as const
export type UseKey = (typeof useKeys)[number]

/** `costMicros`: the cost of tokens with a price; null if none had one. `unpriced`: tokens without a price. */
export type UseAmounts = {
  /** Model calls; 0 for use that an earlier version counted. */
  calls: number
  /** The calls among them with estimated tokens, because their endpoint did not count. */
  estimated: number
  input: number
  output: number
  /** Parts of input and output, from the calls whose endpoint tells them; null if none does. */
  cached: number | null
  reasoning: number | null
  costMicros: number | null
  unpriced: number
}

/** The use of one model for one purpose of one bead on one day (UTC). */
export type TokenUseRow = UseAmounts & {
  /** `2026-11-23` */
  day: string
  bead: string
  kind: UseKind
  /** The phase of its plan, from 1; null: none. */
  phase: number | null
  /** The endpoint's name for it; '' if not known. */
  model: string
  /** The sub-agent that asked; null: the session's own agent. */
  agent: string | null
  /** The session's agent, as `"agent"` in `beadloom.json` names it; null: unknown, or a session without one (checks). */
  preset: string | null
}
