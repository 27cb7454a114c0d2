/** What tokens were used for. `retry`: another attempt at work whose checks or whose agent had failed. */
export const useKinds = ['work', 'retry', 'review', 'plan'] as const
export type UseKind = (typeof useKinds)[number]

/** By what use can be added up. */
export const useKeys = ['day', 'bead', 'model', 'kind', 'agent', 'phase'] as const
export type UseKey = (typeof useKeys)[number]

/** `costMicros`: of what had a price; null where nothing had. `unpriced`: tokens without a price. */
export type UseAmounts = {
  /** Model calls; 0 for what an earlier version has counted. */
  calls: number
  /** Of them: those whose tokens are estimated, because their endpoint did not count. */
  estimated: number
  input: number
  output: number
  /** Parts of the two, of the calls whose endpoint tells them; null where none does. */
  cached: number | null
  reasoning: number | null
  costMicros: number | null
  unpriced: number
}

/** What one model used for one purpose of one bead on one day (UTC). */
export type TokenUseRow = UseAmounts & {
  /** `2026-11-23` */
  day: string
  bead: string
  kind: UseKind
  /** Of its plan, from 1; null: none. */
  phase: number | null
  /** As the endpoint knows it; '' where it is not known. */
  model: string
  /** The sub-agent that asked; null: the session's own. */
  agent: string | null
  /** The session's agent, as `"agent"` in `beadloom.json` names it; null: unknown, or a session without one (checks). */
  preset: string | null
}
