import type { TokenUse } from './token-use.ts'
import type { SessionContext } from '../tokens/context-gauge.ts'
import { assertNever } from '../assert-never.ts'
import { modelTroubles } from './failure/failure.ts'
import type { Refused } from '../bead/bead.ts'
import type { ExecutionId, SessionId } from '../ids.ts'

/**
 * `setup` prepares a project's image, `work` is an agent, `verify` runs the project's checks on a clean checkout,
 * `save` puts the uncommitted work of a stopped container on a ref of the hub, `service` is what runs beside an agent or
 * checks.
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
 * What ended a session, where policy has to know it: people read `detail`. Of its model: what it had to the end, or
 * `refused` where it would refuse the next session, too.
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
  /** Of a service: its name. */
  service?: string
  /** The attempt this session belongs to, from 1. */
  attempt: number
  state: SessionState
  outcome: SessionOutcome | null
  exitCode: number | null
  /** A sentence for people about the outcome. */
  detail: string
  /** Left out where it is none of these. */
  cause?: SessionCause
  container: string | null
  /** Its agent's model; null where it has none, and where a command line chooses one without saying which. */
  model: string | null
  tokens: TokenUse
  /** How full its agent's context was at its last call; left out until it has made one. */
  context?: SessionContext
  logLines: number
  logBytes: number
  startedAt: number
  endedAt: number | null
  /** How long it took, in milliseconds in which the server ran; `lasted` knows what to do without it. */
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
