import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import { CHARACTERS_PER_TOKEN } from '@beadloom/core/context/context-meter.ts'
import { cutMiddle } from '@beadloom/core/text/cut-middle.ts'
import type { Loop } from './loop.ts'
import { ModelFailure } from './model-call.ts'
import { offered, questionLength } from './offered-tools.ts'
import { putQuestion } from './put-question.ts'
import { recordUse } from './record-use.ts'

/**
 * The most characters of a handover; a longer one is cut in the middle. For a small window the bound is a tenth of it.
 */
const LONGEST = 24_000
const SHORTEST = 2000
const PART_OF_WINDOW = 0.1

/** The number of newest steps that are listed if the model cannot be asked. */
const STEPS_LISTED = 12
const LISTED_CHARACTERS = 300

/** Begins like other agents' summaries, so that the scripted model does not take it for a turn of its script. */
export const HANDOVER_QUESTION = `\
Your context is nearly full. You continue in a fresh one that has the task and what you write now, and nothing else of this conversation. Write a handover to yourself, in this order:
1. What is done, with the files that were changed.
2. What is left to do, and the next step.
3. What you have found out that took time: causes, places in the code, commands that work, what was tried and failed.
4. What you were in the middle of.
Only facts of this conversation. Call no tool.`

/**
 * For a nearly full context: the model writes down what matters, and the same session continues with that in a fresh
 * context. If the model cannot be asked, the newest steps are listed instead, so that a full context never ends a
 * session.
 *
 * @param isTooLong the model has refused the conversation as too long
 */
export async function handOver(loop: Loop, step: string, isTooLong = false): Promise<void> {
  const { talk, meters, record } = loop
  const contextTokens = meters.context.used(questionLength(loop))
  const text = bounded(
    (await askForHandover(loop, step, isTooLong)) ?? listOfSteps(talk.messages),
    meters.context.window,
  )
  await record.write({ type: 'handover', contextTokens, windowTokens: meters.context.window, text })
  talk.restart(text)
  meters.begin()
}

/** Null if the model gave none. */
async function askForHandover(loop: Loop, step: string, isTooLong: boolean): Promise<string | null> {
  const { talk, role, context, record } = loop
  const tools = offered(role.tools())
  const request = {
    messages: withQuestion(isTooLong ? withShortResults(talk.messages) : talk.messages),
    // Some servers refuse a conversation that contains calls if no tools are offered.
    ...(tools.length > 0 && { tools, tool_choice: 'none' as const }),
  }
  try {
    const answer = await putQuestion(loop, request, step)
    await recordUse(loop, answer, questionLength(loop) + HANDOVER_QUESTION.length)
    return answer.text.trim() === '' ? null : answer.text.trim()
  } catch (error) {
    if (!(error instanceof ModelFailure) || context.stop.aborted || error.kind === 'unreachable') throw error
    await record.write({ type: 'warning', text: `the model wrote no handover: ${error.message}` })
    return null
  }
}

const withShortResults = (messages: readonly ChatCompletionMessageParam[]): ChatCompletionMessageParam[] =>
  messages.map((message) =>
    message.role === 'tool' && typeof message.content === 'string'
      ? { ...message, content: cutMiddle(message.content, LISTED_CHARACTERS) }
      : message,
  )

/** Adds the question to the last one, since some servers refuse two questions in a row. */
function withQuestion(messages: readonly ChatCompletionMessageParam[]): ChatCompletionMessageParam[] {
  const last = messages.at(-1)
  if (last?.role !== 'user' || typeof last.content !== 'string')
    return [...messages, { role: 'user', content: HANDOVER_QUESTION }]
  return [
    ...messages.slice(0, -1),
    { role: 'user', content: `${HANDOVER_QUESTION}\n\nYou were last asked: ${last.content}` },
  ]
}

function bounded(text: string, window: number): string {
  const most = Math.min(LONGEST, Math.max(SHORTEST, Math.floor(window * CHARACTERS_PER_TOKEN * PART_OF_WINDOW)))
  return cutMiddle(text, most)
}

function listOfSteps(messages: readonly ChatCompletionMessageParam[]): string {
  const lines = messages.slice(2).flatMap((message): string[] => {
    const text = typeof message.content === 'string' ? message.content.trim() : ''
    const said = text === '' ? [] : [cutMiddle(text, LISTED_CHARACTERS)]
    if (message.role === 'tool') return said.map((line) => `  -> ${line}`)
    if (message.role !== 'assistant') return []
    const calls = message.tool_calls ?? []
    return [
      ...said.map((line) => `- ${line}`),
      ...calls.flatMap((call) =>
        call.type === 'function'
          ? [`- ${call.function.name} ${cutMiddle(call.function.arguments, LISTED_CHARACTERS)}`]
          : [],
      ),
    ]
  })
  return ['The newest steps, as nobody could be asked for a summary:', ...lines.slice(-2 * STEPS_LISTED)].join('\n')
}
