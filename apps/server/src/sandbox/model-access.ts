import type { IncomingMessage, ServerResponse } from 'node:http'
import { openFor } from '@beadloom/core/gateway/hosted-tools.ts'
import { modelOf, type LiveExecution } from '../execution/live-execution.ts'
import type { GatewayCaller } from '../ports/gateway.ts'
import { callAccount } from './call-account.ts'
import { agentsIn, type OpenSession } from './session-plan.ts'
import { spokenMessages } from './spoken-messages.ts'
import { limitReached, liveSpender } from '../budget/spender.ts'
import { holdCall } from '../holds/hold-call.ts'
import { waitOf } from '../holds/limit-hold.ts'
import { isPaused } from '../holds/pause-hold.ts'

export type Handler = (request: IncomingMessage, response: ServerResponse) => void

/**
 * The gateway for one session: its model, its budget, and the account of its calls.
 *
 * @param own the model of this session alone; left out: the execution's, which a person may change meanwhile
 */
export function modelFor(live: LiveExecution, session: OpenSession, own?: string | null): Handler {
  const { agent } = session.plan
  if (agent === null) return refuse
  const caller = callerOf(live, session, agent, own)
  return (request, response) => live.deps.gateway.handle(caller, request, response)
}

/** A reviewer keeps the model with which it was stored, also after a restart; a person's change is for the others. */
const modelNow = (live: LiveExecution, { id, order }: OpenSession['plan']): string | null =>
  order?.work.kind === 'review' ? (live.deps.store.session(id)?.model ?? null) : modelOf(live)

const LOOKED_AT = 20

/** Whether an earlier execution of its bead was completed. */
function isAgain({ id, deps: { store } }: LiveExecution): boolean {
  const own = store.execution(id)
  if (!own) return false
  const { project, bead } = own
  return store
    .executions({ project, bead, state: 'COMPLETED', limit: LOOKED_AT })
    .some((one) => one.id !== id && one.kind === 'work')
}

function callerOf(
  live: LiveExecution,
  session: OpenSession,
  agent: string,
  own: string | null | undefined,
): GatewayCaller {
  const { plan } = session
  const agents = agentsIn(plan.order)
  const spender = liveSpender(live, plan.id)
  /** The wait of an earlier server. It may have been granted since, so the agent's first call checks. */
  let before = waitOf(live, plan.id)
  const isAsking = live.settings.onLimit === 'ask'
  const usedUp = () => limitReached(live, plan.id)
  return {
    execution: live.id,
    session: plan.id,
    bead: agent,
    attempt: plan.attempt,
    get model() {
      return own === undefined ? modelNow(live, plan) : own
    },
    models: agents.flatMap(({ model }) => model ?? []),
    scenario: live.settings.scenario,
    again: () => isAgain(live),
    hosted: openFor(live.deps.hostedTools, live.project.id),
    usedUp: () => (isAsking ? null : usedUp()),
    isHeld: () => isPaused(live) || (isAsking && (before !== null || usedUp() !== null)),
    whileHeld: (signal) => {
      before = null
      return holdCall(live, spender, signal)
    },
    ...(session.turn && { turn: session.turn }),
    ...(isCommandLine(plan) && { commandLine: { usesTools: false } }),
    ...(plan.order && {
      messages: spokenMessages(live, { id: plan.id, order: plan.order, container: session.container }),
    }),
    whileWaiting: (wait) => live.watchdog.whileOursToWait(wait),
    tell: callAccount(live, session),
  }
}

const isCommandLine = ({ order }: OpenSession['plan']): boolean =>
  order !== undefined && 'agent' in order.work && order.work.agent.name === 'command'

export const refuse: Handler = (_request, response) => {
  response.writeHead(403, { 'content-type': 'application/json' })
  response.end(
    JSON.stringify({
      error: { message: 'only the session of an agent may call a model', type: 'refused', code: 'no_model_here' },
    }),
  )
}
