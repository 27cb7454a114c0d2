import type { IncomingMessage, ServerResponse } from 'node:http'
import { clockTime } from '@beadloom/core/clock-time.ts'
import type { GatewayCaller } from '../ports/gateway.ts'
import type { RunContext } from './run-context.ts'
import type { SessionPlan } from './run-session.ts'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** The gateway for one session: its model, its budget, and where its usage is counted. */
export function modelFor(run: RunContext, plan: SessionPlan): Handler {
  if (!plan.mayUseModel) return refuse
  const caller = callerOf(run, plan)
  return (request, response) => run.deps.gateway.handle(caller, request, response)
}

function callerOf(run: RunContext, plan: SessionPlan): GatewayCaller {
  const { store } = run.deps
  const { id } = run.execution
  const budget = run.settings.limits.maxTokens
  const tokensLeft = () => {
    if (budget === null) return null
    const tokens = store.execution(id)?.tokens
    return budget - (tokens ? tokens.input + tokens.output : 0)
  }
  return {
    execution: id,
    session: plan.id,
    // Its scenario may have a reviewer's part beside the author's.
    bead: run.execution.kind === 'review' ? `review:${run.bead.id}` : run.bead.id,
    attempt: plan.attempt,
    model: run.settings.model,
    scenario: run.settings.scenario,
    tokensLeft,
    onUsage: (usage) => {
      run.watchdog.activity()
      store.addTokens(id, plan.id, usage.input, usage.output)
      const left = tokensLeft()
      if (left !== null && left <= 0) run.stopper.stop({ stop: 'budget' })
    },
    onProblem: (problem) => {
      store.addEvent(id, plan.id, 'model_problem', { text: problem })
      run.deps.recorder.note(plan.id, problem)
    },
    onRetry: (code) => store.addRetry(id, 'api_call', code),
    onParked: ({ model, until, why }) => {
      store.addEvent(id, plan.id, 'model_parked', { model, until, text: why })
      run.deps.recorder.note(plan.id, `the model asks to wait until ${clockTime(until, run.deps.clock.now())}`)
    },
    whileWaiting: (wait) => run.watchdog.whileOursToWait(wait),
  }
}

const refuse: Handler = (_request, response) => {
  response.writeHead(403, { 'content-type': 'application/json' })
  response.end(
    JSON.stringify({ error: { message: 'only an agent may ask a model', type: 'refused', code: 'no_model_here' } }),
  )
}
