import type { TokenUse } from '../budget/token-use.ts'
import type { SessionContext } from '../context/context-gauge.ts'
import { assertNever } from '../text/assert-never.ts'
import { modelTroubles } from './failure/failure.ts'
import type { Refused } from './bead.ts'
import type { ExecutionId, SessionId } from './ids.ts'

/**
 * `setup` prepares a project's image, `work` is an agent, `verify` runs the project's checks on a clean checkout,
 * `save` puts the uncommitted work of a stopped container on a ref of the hub, `service` is a service beside an agent
 * or checks.
 */
export const sessionKinds = ['setup', 'work', 'verify', 'save', 'service'] as const
export type SessionKind = (typeof sessionKinds)[number]

export const sessionOutcomes = [
  'success',
  'failed',
  'timeout',
  'turn_limit',
  'blocked',
  'cancelled',
  'infra_error',
] as const
export type SessionOutcome = (typeof sessionOutcomes)[number]

/**
 * Causes of a session's end that policy has to know; people read `detail`. For the model: its last trouble, or
 * `refused` if it would refuse the next session, too.
 */
export const sessionCauses = ['out_of_memory', 'stopped_outside', ...modelTroubles, 'refused'] as const
export type SessionCause = (typeof sessionCauses)[number]

export const sessionStates = ['starting', 'running', 'ended'] as const
export type SessionState = (typeof sessionStates)[number]

/** Times are integer milliseconds UTC. */
export type Session = {
  id: SessionId
  execution: ExecutionId
  /** Position within the execution, from 1. */
  number: number
  kind: SessionKind
  /** The name of a service; left out for other kinds. */
  service?: string
  /** The attempt this session belongs to, from 1. */
  attempt: number
  state: SessionState
  outcome: SessionOutcome | null
  exitCode: number | null
  /** A sentence for people about the outcome. */
  detail: string
  /** Left out if it is none of these causes. */
  cause?: SessionCause
  container: string | null
  /** Its agent's model; null if it has none, or if a command line chooses one without telling. */
  model: string | null
  tokens: TokenUse
  /** The fill of its agent's context at its last call; left out before the first one. */
  context?: SessionContext
  /** The beginning of the last answer of its agent's model; left out before the first one. */
  answeredAt?: number
  logLines: number
  logBytes: number
  startedAt: number
  endedAt: number | null
  /** Its duration, in milliseconds during which the server ran; `lasted` handles its absence. */
  tookMs?: number
}

export type SessionEvent = { type: 'container-started' } | { type: 'ended'; outcome: SessionOutcome }

const nextSessionStates: Record<SessionState, readonly SessionState[]> = {
  starting: ['running', 'ended'],
  running: ['ended'],
  ended: [],
}

export function transitionSession(state: SessionState, event: SessionEvent): SessionState | Refused {
  const next = targetOf(event)
  return nextSessionStates[state].includes(next)
    ? next
    : { refused: `a session that is ${state} cannot become ${next}` }
}

function targetOf(event: SessionEvent): SessionState {
  switch (event.type) {
    case 'container-started':
      return 'running'
    case 'ended':
      return 'ended'
    default:
      return assertNever(event)
  }
}
