import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { Session } from '@beadloom/core/records/session.ts'
import { percentFull, type SessionContext } from '@beadloom/core/context/context-gauge.ts'
import { countText } from '@beadloom/core/text/count-text.ts'

/** Percentages from which the figure has a colour: agents are warned here, and soon shorten their conversation. */
const NEAR_PERCENT = 70
const FULL_PERCENT = 90

type Contexts = Pick<ExecutionView, 'sessions'>

const contextsOf = (sessions: readonly Session[]): SessionContext[] => sessions.flatMap(({ context }) => context ?? [])

/** The fullest context of the agents at work now; null if none has asked its model yet. */
export function contextNow({ sessions }: Contexts): SessionContext | null {
  return fullest(contextsOf(sessions.filter(({ state }) => state !== 'ended')))
}

/** The fullest that any of its agents' contexts has been. */
export function contextPeak({ sessions }: Contexts): SessionContext | null {
  return fullest(contextsOf(sessions).map(atItsFullest))
}

export const atItsFullest = (context: SessionContext): SessionContext => ({ ...context, tokens: context.peak })

const fullest = (contexts: readonly SessionContext[]): SessionContext | null =>
  contexts.reduce<SessionContext | null>(
    (most, one) => (most && percentFull(most) >= percentFull(one) ? most : one),
    null,
  )

/** `near`: the agent is told to be brief; `full`: it is about to shorten its conversation. */
export function fullnessOf(context: SessionContext): 'roomy' | 'near' | 'full' {
  const percent = percentFull(context)
  return percent >= FULL_PERCENT ? 'full' : percent >= NEAR_PERCENT ? 'near' : 'roomy'
}

export const contextText = (context: SessionContext): string => `${percentFull(context)}%`

/** "128,400 of the 200,000 tokens that its model takes; compacted twice". */
export function contextInFull({ tokens, window, compactions }: SessionContext): string {
  const times = compactions === 1 ? 'once' : compactions === 2 ? 'twice' : `${compactions} times`
  return `${countText(tokens)} of the ${countText(window)} tokens that its model takes${compactions === 0 ? '' : `; compacted ${times}`}`
}
