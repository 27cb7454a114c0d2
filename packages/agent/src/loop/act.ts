import { watchTurn } from '@beadloom/core/execution/loop-watch.ts'
import type { Verdict } from './agent-role.ts'
import type { Loop } from './loop.ts'
import type { ModelAnswer, ToolCall } from './model-call.ts'
import { runCalls } from './run-calls.ts'

/** Makes the calls of an answer, and decides what happens if the session goes round in circles. */
export async function act(loop: Loop, answer: ModelAnswer, step: number): Promise<Verdict> {
  const { talk, context, role, record } = loop
  const calls = answer.calls.map((call, index) => ({ ...call, id: call.id || `call-${step}-${index + 1}` }))
  const content = answer.text || null
  if (calls.length === 0) return 'go-on'
  talk.add({
    role: 'assistant',
    content,
    // If arguments are not JSON, some servers refuse the whole conversation from here on.
    tool_calls: calls.map(({ id, name, arguments: args }) => ({
      id,
      type: 'function',
      function: { name, arguments: isJson(args) ? args : '{}' },
    })),
  })
  const warn = (text: string) => record.write({ type: 'warning', text })
  const onResult = async ({ id }: ToolCall, text: string) => {
    if (talk.add({ role: 'tool', tool_call_id: id, content: text }) > 0)
      await warn('the conversation is long; old tool results are shortened')
  }
  const made = await runCalls({ record, calls, tools: role.tools(), context, onResult })
  const [watch, verdict] = watchTurn(loop.watch, made)
  loop.watch = watch
  if (verdict === 'go-on') return verdict
  if ('end' in verdict)
    return { end: { outcome: 'failed', reason: 'agent_repeats', text: verdict.end, exitCode: null } }
  await warn(verdict.warning)
  return { nudge: verdict.nudge }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
