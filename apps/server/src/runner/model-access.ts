import type { IncomingMessage, ServerResponse } from 'node:http'
import { clockTime } from '@beadloom/core/text/clock-time.ts'
import type { UsedUp } from '@beadloom/core/execution/token-budget.ts'
import { costMicros, type Prices, type TokenUse } from '@beadloom/core/execution/token-use.ts'
import type { GatewayCaller, Usage } from '../ports/gateway.ts'
import type { RunContext } from './run-context.ts'
import type { SessionPlan } from './run-session.ts'
import { limitReached } from './token-limits.ts'

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
  return {
    execution: id,
    session: plan.id,
    // Its scenario may have a reviewer's part beside the author's.
    bead: run.execution.kind === 'review' ? `review:${run.bead.id}` : run.bead.id,
    attempt: plan.attempt,
    model: run.settings.model,
    scenario: run.settings.scenario,
    usedUp: () => limitReached(run, plan.id),
    onRefused: (limit) => endForWantOfTokens(run, plan, limit),
    // Comes before the problem of a call that broke off, so what is left of a call that was answered is none.
    onUsage: (usage) => {
      delete plan.unanswered
      run.watchdog.activity()
      store.addTokens(id, plan.id, priced(usage, run.deps.prices))
    },
    onProblem: (problem) => {
      noteUnanswered(run, plan, problem)
      store.addEvent(id, plan.id, 'model_problem', { text: problem })
      run.deps.recorder.note(plan.id, problem)
    },
    onRetry: (code) => store.addRetry(id, 'api_call', code),
    onCooldown: ({ model, until, why }) => {
      store.addEvent(id, plan.id, 'model_parked', { model, until, text: why })
      run.deps.recorder.note(plan.id, `the model asks to wait until ${clockTime(until, run.deps.clock.now())}`)
    },
    whileWaiting: (wait) => run.watchdog.whileOursToWait(wait),
  }
}

/**
 * Calls in a row, with the gateway's own. The agents that people know give up after 40 at most; a command line that
 * never does would go on until its deadline, at somebody else's door.
 */
const MOST_UNANSWERED = 100

function noteUnanswered(run: RunContext, plan: SessionPlan, problem: string): void {
  const calls = (plan.unanswered?.calls ?? 0) + 1
  plan.unanswered = { calls, problem }
  if (calls === MOST_UNANSWERED && !plan.ended) run.stopper.stop({ stop: 'unanswered', problem })
}

/** Whatever the agent makes of the error: what it still does after this is not waited for. */
const GRACE_AFTER_REFUSAL_MS = 10_000

/** The first refused call is the beginning of the end: the agent may still say something, and is stopped then. */
function endForWantOfTokens(run: RunContext, plan: SessionPlan, limit: UsedUp): void {
  if (plan.refused) return
  plan.refused = limit
  void run.deps.clock.sleep(GRACE_AFTER_REFUSAL_MS, plan.signal).then(() => {
    if (!plan.ended && !plan.signal.aborted) run.stopper.stop({ stop: 'budget', limit })
  })
}

const priced = (usage: Usage, prices: Prices): TokenUse => {
  const price = Object.hasOwn(prices, usage.model) ? prices[usage.model] : undefined
  return price ? { ...usage, costMicros: costMicros(usage, price) } : usage
}

const refuse: Handler = (_request, response) => {
  response.writeHead(403, { 'content-type': 'application/json' })
  response.end(
    JSON.stringify({ error: { message: 'only an agent may ask a model', type: 'refused', code: 'no_model_here' } }),
  )
}
