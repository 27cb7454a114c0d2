import type { ServerResponse } from 'node:http'
import type { CallPart } from '@beadloom/core/context/context-gauge.ts'
import type { CallInHand, GatewayCaller } from '../ports/gateway.ts'
import type { Clock } from '../process/clock.ts'
import type { GatewayBounds } from './bounds.ts'
import type { CallTime } from './call-time.ts'
import type { Step } from './step-calls.ts'
import type { Cooldowns } from './upstream/cooldown.ts'
import type { Dialect } from './route.ts'
import type { ModelRoute, NoRoute } from './model-routing.ts'
import type { Endpoint } from './upstream/endpoint.ts'
import type { WholeAnswers } from './upstream/whole-answers.ts'

/** The part of pino that the gateway uses. Keys, headers and the conversation are never logged. */
export type GatewayLog = {
  info: (fields: object, message: string) => void
  warn: (fields: object, message: string) => void
  error: (fields: object, message: string) => void
}

export type CallDeps = {
  clock: Clock
  random: () => number
  bounds: GatewayBounds
  log: GatewayLog
  cooldowns: Cooldowns
  answers: WholeAnswers
}

/** A request of a session. `signal` aborts with a `Problem` as its reason. */
export type Asked = {
  who: GatewayCaller
  response: ServerResponse
  signal: AbortSignal
  time: CallTime
}

/** A call whose request was read, whatever answers it. */
export type ReadCall = Asked & {
  dialect: Dialect
  part: CallPart
  /** The sub-agent that claims the call; '' for the session's own. */
  agent: string
  /** Whether a known agent says that an agent that it has asked makes the call. */
  delegated: boolean
  /** Whether the caller asked for a stream. */
  streaming: boolean
  /** Its agent's own step, which people can stop; null: a sub-agent's, or a question beside the work. */
  hand: CallInHand | null
  /** The request as it is sent, JSON; empty once the model answers, because it is not sent again. */
  body: Buffer
}

/** A call that an endpoint answers. */
export type Call = ReadCall & {
  /** The part of the address after `/v1`. */
  path: string
  endpoint: Endpoint
  model: string
  /** Its endpoint and model as they are now: a person may choose another model while it waits. */
  reroute: () => ModelRoute | NoRoute
  /** Gives the body's memory back. */
  forget: () => void
  /** The caller's headers that the endpoint gets. */
  headers: Record<string, string>
  /** Counts the calls for the same step. */
  step: Step
}
