import type { IncomingMessage, ServerResponse } from 'node:http'
import { clockTime } from '@beadloom/core/text/clock-time.ts'
import type { OrderedAgent, SessionOrder } from '@beadloom/core/execution/session-order.ts'
import type { UsedUp } from '@beadloom/core/budget/token-budget.ts'
import { allTokens, costMicros } from '@beadloom/core/budget/token-use.ts'
import { usedUpOf } from '@beadloom/core/budget/limit-states.ts'
import { inWords } from '@beadloom/core/context/budget-warnings.ts'
import { costOfUses, openFor } from '@beadloom/core/gateway/hosted-tools.ts'
import { ContextGauge, percentFull, type Compaction } from '@beadloom/core/context/context-gauge.ts'
import { priceOf, PRICES_IN } from '@beadloom/core/budget/model-prices.ts'
import { windowOf } from '@beadloom/core/context/model-windows.ts'
import type { LiveExecution } from '../execution/live-execution.ts'
import type { GatewayCaller } from '../ports/gateway.ts'
import type { ModelProblem } from './judge-session.ts'
import { BudgetNews } from './budget-news.ts'
import { noteHostedUses } from './hosted-uses.ts'
import { tellKeptBack } from './kept-back.ts'
import type { OpenSession } from './session-plan.ts'
import { limitReached, spenderOf } from './token-limits.ts'
import { waitForGrant, waitOf } from './wait-for-grant.ts'

export type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** The gateway for one session: its model, its budget, and the accounts of its usage. */
export function modelFor(live: LiveExecution, session: OpenSession, model = live.settings.model): Handler {
  const { agent } = session.plan
  if (agent === null) return refuse
  const caller = callerOf(live, session, agent, model)
  return (request, response) => live.deps.gateway.handle(caller, request, response)
}

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

function callerOf(live: LiveExecution, session: OpenSession, agent: string, model: string | null): GatewayCaller {
  const { store, recorder, clock, prices, windows, budget, hostedTools } = live.deps
  const { plan } = session
  const agents = agentsIn(plan.order)
  const gauge = new ContextGauge(store.session(plan.id)?.context)
  const spender = spenderOf(live, plan.id)
  const news = new BudgetNews(live, plan.id)
  /** The wait of an earlier server. It may have been granted since, so the agent's first call checks. */
  let before = waitOf(live, plan.id)
  const waitFor = (signal: AbortSignal) => {
    before = null
    return waitForGrant(live, spender, signal)
  }
  return {
    execution: live.id,
    session: plan.id,
    bead: agent,
    attempt: plan.attempt,
    model,
    models: agents.flatMap(({ model }) => model ?? []),
    scenario: live.settings.scenario,
    again: () => isAgain(live),
    hosted: openFor(hostedTools, live.project.id),
    onKeptBack: (dropped, refused) => {
      tellKeptBack(live, plan.id, dropped, refused)
      if (refused)
        noteUnanswered(live, session, { text: `${refused.what} is not passed on to the model`, trouble: null })
    },
    usedUp: () => limitReached(live, plan.id) ?? (before && usedUpOf(before, before.currency)),
    waitForBudget: live.settings.onLimit === 'ask' ? waitFor : null,
    onRefused: (limit) => endForWantOfTokens(live, session, limit),
    // Comes before the problem of a call that broke off, so an answered call leaves no problem behind.
    onUsage: (usage) => {
      session.unanswered = null
      live.watchdog.activity()
      const tokens = allTokens(usage)
      // A model's thinking is not part of later requests.
      const kept = tokens - (usage.reasoning ?? 0)
      const compacted = gauge.heard(usage.part, kept, windowOf(usage.model, windows))
      const found = priceOf(usage.model, usage.input, prices)
      const ran = costOfUses(usage.hosted ?? {}, hostedTools, prices.currency === PRICES_IN)
      const ofTokens = found ? costMicros(usage, found.price) : null
      const cost = ofTokens === null && ran.micros === 0 ? null : (ofTokens ?? 0) + ran.micros
      const spent = { tokens, micros: cost ?? 0, unpriced: found ? 0 : tokens }
      news.beforeCall(spender, spent, usage.model, ran.unpriced)
      if (usage.hosted) noteHostedUses(live, usage.hosted)
      budget.count(
        spender,
        spent,
        store.addTokens(live.id, plan.id, cost === null ? usage : { ...usage, costMicros: cost }, {
          context: gauge.context,
          model: usage.model,
          // A container may send any name; its order has few.
          agent: agents.some(({ name }) => name === usage.agent) ? usage.agent : '',
          ...(found && { priceOf: found.from }),
          unpriced: spent.unpriced,
          estimated: !usage.known,
        }),
      )
      if (compacted) noteCompaction(live, session, compacted)
    },
    onProblem: (text, trouble) => {
      noteUnanswered(live, session, { text, trouble })
      void store.addEvent(live.id, plan.id, 'model_problem', { text, trouble })
      recorder.note(plan.id, text)
    },
    onRetry: (code) => void store.addRetry(live.id, 'api_call', code),
    onCooldown: ({ model, until, why }) => {
      void store.addEvent(live.id, plan.id, 'model_parked', { model, until, text: why })
      recorder.note(plan.id, `the model asked to wait until ${clockTime(until, clock.now())}`)
    },
    whileWaiting: (wait) => live.watchdog.whileOursToWait(wait),
  }
}

/** Notes a compaction. The built-in agent itself reports when it hands over to a fresh context. */
function noteCompaction({ id, deps }: LiveExecution, { plan }: OpenSession, compacted: Compaction): void {
  if (isBuiltIn(plan.order)) return
  void deps.store.addEvent(id, plan.id, 'compaction', compacted)
  const { before, after, window } = compacted
  const full = percentFull({ tokens: before, window })
  deps.recorder.note(
    plan.id,
    `the context was ${full}% full (${inWords(before)} of ${inWords(window)} tokens): the agent has shortened it to ${inWords(after)}`,
  )
}

const isBuiltIn = (order: SessionOrder | undefined): boolean =>
  order !== undefined && 'agent' in order.work && order.work.agent.name === 'openai'

/**
 * Calls in a row, including the gateway's own. The known agents give up after 40 at most; a command line that never
 * does would call somebody else's endpoint until its deadline.
 */
const MOST_UNANSWERED = 100

function noteUnanswered({ stopper }: LiveExecution, session: OpenSession, problem: ModelProblem): void {
  const calls = (session.unanswered?.calls ?? 0) + 1
  session.unanswered = { calls, ...problem }
  if (calls === MOST_UNANSWERED && !session.ended) stopper.stop({ stop: 'unanswered', problem: problem.text })
}

/** However the agent takes the error, we do not wait longer for it. */
const GRACE_AFTER_REFUSAL_MS = 10_000

/** Ends a session at its first refused call: the agent may still say something, and is then stopped. */
function endForWantOfTokens({ deps, stopper }: LiveExecution, session: OpenSession, limit: UsedUp): void {
  if (session.refused) return
  session.refused = limit
  const { signal } = session.plan
  void deps.clock.sleep(GRACE_AFTER_REFUSAL_MS, signal).then(() => {
    if (!session.ended && !signal.aborted) stopper.stop({ stop: 'budget', limit })
  })
}

/** The named agents in the session's order. */
function agentsIn(order: SessionOrder | undefined): OrderedAgent[] {
  const agent = order && 'agent' in order.work ? order.work.agent : null
  return agent?.name === 'openai' ? (agent.agents ?? []) : []
}

export const refuse: Handler = (_request, response) => {
  response.writeHead(403, { 'content-type': 'application/json' })
  response.end(
    JSON.stringify({
      error: { message: 'only the session of an agent may call a model', type: 'refused', code: 'no_model_here' },
    }),
  )
}
