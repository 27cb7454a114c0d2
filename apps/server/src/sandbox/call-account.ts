import { clockTime } from '@beadloom/core/text/clock-time.ts'
import type { SessionOrder } from '@beadloom/core/execution/session-order.ts'
import type { UsedUp } from '@beadloom/core/budget/used-up.ts'
import { allTokens, costMicros } from '@beadloom/core/budget/token-use.ts'
import { inWords } from '@beadloom/core/context/budget-warnings.ts'
import { costOfUses } from '@beadloom/core/gateway/hosted-tools.ts'
import { ContextGauge, percentFull, type Compaction } from '@beadloom/core/context/context-gauge.ts'
import { priceOf, PRICES_IN } from '@beadloom/core/budget/model-prices.ts'
import { windowOf } from '@beadloom/core/context/model-windows.ts'
import type { LiveExecution } from '../execution/live-execution.ts'
import type { CallNews, Usage } from '../ports/gateway.ts'
import type { ModelProblem } from './judge-session.ts'
import { BudgetNews } from '../budget/budget-news.ts'
import { noteHostedUses } from './hosted-uses.ts'
import { tellKeptBack } from './kept-back.ts'
import { agentsIn, type OpenSession } from './session-plan.ts'
import { liveSpender } from '../budget/spender.ts'

/** Keeps the account of one session's calls: tokens, money, context, problems. */
export function callAccount(live: LiveExecution, session: OpenSession): (news: CallNews) => void {
  const { store, recorder, clock } = live.deps
  const { id } = session.plan
  const count = useCounter(live, session)
  return (news) => {
    switch (news.type) {
      case 'used':
        return count(news.usage)
      case 'over_limit':
        return endForWantOfTokens(live, session, news.limit)
      case 'kept_back': {
        const { dropped, refused } = news
        tellKeptBack(live, id, dropped, refused)
        const text = `${refused?.what} is not passed on to the model`
        return refused ? noteUnanswered(live, session, { text, trouble: null }) : undefined
      }
      case 'problem': {
        const { text, trouble } = news
        noteUnanswered(live, session, { text, trouble })
        void store.addEvent(live.id, id, 'model_problem', { text, trouble })
        return recorder.note(id, text)
      }
      case 'retried':
        return void store.addRetry(live.id, 'api_call', news.code)
      case 'cooling_down': {
        const { model, until, why } = news.cooldown
        void store.addEvent(live.id, id, 'model_parked', { model, until, text: why })
        return recorder.note(id, `the model asked to wait until ${clockTime(until, clock.now())}`)
      }
    }
  }
}

/** Counts tokens and money. Told before the problem of a call that broke off, so an answered call leaves none behind. */
function useCounter(live: LiveExecution, session: OpenSession): (usage: Usage) => void {
  const { store, prices, windows, budget, hostedTools } = live.deps
  const { plan, turn } = session
  const agents = agentsIn(plan.order)
  const gauge = new ContextGauge(store.session(plan.id)?.context)
  const spender = liveSpender(live, plan.id)
  const news = new BudgetNews(live, plan.id)
  return (usage) => {
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
        ...answeredAt(turn),
      }),
    )
    if (compacted) noteCompaction(live, session, compacted)
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

const answeredAt = (turn: OpenSession['turn']) => {
  const at = turn?.answeredAt ?? null
  return at === null ? {} : { answeredAt: at }
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
