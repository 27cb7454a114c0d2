import { NO_CALLS_YET } from '@beadloom/core/execution/loop-watch.ts'
import { inWords } from '@beadloom/core/context/budget-warnings.ts'
import type { AgentEnd } from '../ends/agent-end.ts'
import { act } from './act.ts'
import type { Verdict } from './agent-role.ts'
import { askNext } from './ask-next.ts'
import { Conversation } from './conversation.ts'
import type { Loop, LoopEnd, LoopStart } from './loop.ts'
import { Meters } from './meters.ts'
import { BUDGET_EXHAUSTED, ModelFailure, type ModelAnswer } from './model-call.ts'
import { hasSpawn, questionLength } from './offered-tools.ts'
import { watchBudget } from './watch-budget.ts'

/** This many answers in a row may be empty or cut off before the session fails. */
const MAX_USELESS_ANSWERS = 2
const NOTHING_USABLE = 'the model gave no usable answer several times in a row'

/** Thinks, acts and observes until the model answers without a tool call or the steps run out. */
export async function runReactLoop({ prompt, ...start }: LoopStart): Promise<LoopEnd> {
  const { order, record, stopped } = start
  const { stop } = start.context
  const loop = begin(start, prompt)
  await start.keep?.(loop.talk) // it may be killed before its end
  const over = async (steps: number, why: LoopEnd['why'], end: AgentEnd): Promise<LoopEnd> => {
    await start.keep?.(loop.talk)
    return { end, why, steps, answer: loop.said }
  }
  for (let step = 1; step <= order.maxSteps; step++) {
    if (stop.aborted) return over(step - 1, 'stopped', stopped())
    await record.write({ type: 'step', step, maxSteps: order.maxSteps })
    const end = await takeStep(loop, step)
    if (stop.aborted) return over(step, 'stopped', stopped())
    if (end) return over(step, end.why, end.end)
  }
  const text = `the agent used all of its ${order.maxSteps} steps`
  return over(order.maxSteps, 'steps', { outcome: 'turn_limit', text, exitCode: null })
}

type Ended = Pick<LoopEnd, 'end' | 'why'>

const ended = (end: AgentEnd): Ended => ({ end, why: end.outcome === 'success' ? 'done' : 'failed' })

/** Null if the loop continues. */
async function takeStep(loop: Loop, step: number): Promise<Ended | null> {
  const { role, talk, context } = loop
  try {
    if (!(await watchBudget(loop, step))) return { why: 'tokens', end: outOfTokens(loop) }
    const answer = await askNext(loop, step)
    // The last words, too: they may be a question, and it continues with the answer.
    if (answer.text !== '' && (answer.calls.length === 0 || context.stop.aborted))
      talk.add({ role: 'assistant', content: answer.text })
    if (context.stop.aborted) return null
    const verdict = (await role.heard?.(answer)) ?? judge(answer)
    if (verdict !== 'go-on' && 'end' in verdict) return ended(verdict.end)
    loop.useless = verdict !== 'go-on' && verdict.useless ? loop.useless + 1 : 0
    if (loop.useless > MAX_USELESS_ANSWERS) return ended((role.unusable ?? modelFailed)(NOTHING_USABLE))
    const acted = await act(loop, answer, step)
    const end = role.end?.() ?? (acted !== 'go-on' && 'end' in acted ? acted.end : null)
    if (end) return ended(end)
    for (const said of [verdict, acted])
      if (said !== 'go-on' && 'nudge' in said) talk.add({ role: 'user', content: said.nudge })
    return null
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error
    if (context.stop.aborted) return null
    const instead = await role.refused?.(error)
    if (!instead) {
      const end = modelFailed(`the model cannot continue: ${error.message}`)
      return { end, why: error.code === BUDGET_EXHAUSTED ? 'tokens' : 'failed' }
    }
    talk.askInstead(instead)
    return null
  }
}

function begin(start: Omit<LoopStart, 'prompt'>, prompt: string): Loop {
  const talk = new Conversation(start.role.system, prompt)
  if (start.earlier && !talk.resume(start.earlier.text, start.earlier.next))
    talk.add({ role: 'user', content: start.earlier.next })
  const meters = new Meters(start.budget)
  const { role } = start
  const tokens = {
    context: () => ({ budget: meters.context.window, used: meters.context.used(questionLength({ talk, role })) }),
    spent: meters.spent,
    canSpawn: () => hasSpawn(role.tools()),
  }
  const context = { ...start.context, tokens }
  return { ...start, context, talk, meters, watch: NO_CALLS_YET, useless: 0, notices: [], said: '' }
}

const outOfTokens = ({ meters: { spent } }: Loop): AgentEnd => ({
  outcome: 'failed',
  text: `budget_exhausted: ${inWords(spent.used)} of ${inWords(spent.budget)} tokens are used`,
  exitCode: null,
})

const modelFailed = (text: string): AgentEnd => ({ outcome: 'failed', reason: 'model_failed', text, exitCode: null })

function judge({ text, calls, finish }: ModelAnswer): Verdict {
  if (finish === 'content_filter') return { end: modelFailed('the model refused to continue (content filter)') }
  if (calls.length > 0) return 'go-on'
  if (finish === 'length')
    return { nudge: 'Your answer was cut off at its longest allowed length. Go on, in smaller steps.', useless: true }
  if (!text.trim())
    return { nudge: 'Your answer was empty. Go on with a tool call, or say that you are done.', useless: true }
  return { end: { outcome: 'success', text: 'the agent finished', exitCode: null } }
}
