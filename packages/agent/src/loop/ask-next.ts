import type { ChatCompletionTool } from 'openai/resources/chat/completions'
import type { Tool } from '../tools/tool.ts'
import type { Loop } from './loop.ts'
import { askModel, ModelFailure, type ModelAnswer } from './model-call.ts'

/** Asks the next question of a conversation, and records what is said. Throws a `ModelFailure`. */
export async function askNext(
  { order, talk, context, role, record, client }: Loop,
  step: number,
): Promise<ModelAnswer> {
  const { clock, stop } = context
  const onRetry = (why: string) => record.write({ type: 'warning', text: `${why}; trying again` })
  // A conversation that is shortened is another question.
  for (let shortened = 0; ; shortened++) {
    try {
      const tools = role.tools()
      const form = role.form?.()
      const request = {
        model: order.model,
        messages: talk.messages,
        ...(tools.length > 0 && { tools: offered(tools) }),
        ...(form && { response_format: form }),
      }
      const answer = await askModel(client, request, { clock, stop, step: `${step}.${shortened}`, onRetry })
      if (answer.text.trim() && !role.isDocument?.(answer)) await record.say(answer.text)
      if (answer.usage) await record.write({ type: 'usage', model: order.model, ...answer.usage })
      return answer
    } catch (error) {
      const tooLong = error instanceof ModelFailure && error.kind === 'too-long'
      if (!tooLong || !talk.halve()) throw error
      await record.write({
        type: 'warning',
        text: 'the conversation is too long for the model; old tool results are shortened',
      })
    }
  }
}

const offered = (tools: readonly Tool[]): ChatCompletionTool[] =>
  tools.map(({ name, description, parameters }) => ({
    type: 'function',
    function: { name, description, parameters },
  }))
