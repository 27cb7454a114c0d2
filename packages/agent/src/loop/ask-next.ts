import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import { windowIn } from '@beadloom/core/context/context-meter.ts'
import { handOver } from './handover.ts'
import type { Loop } from './loop.ts'
import { BUDGET_EXHAUSTED, ModelFailure, type ModelAnswer } from './model-call.ts'
import { offered, questionLength } from './offered-tools.ts'
import { putQuestion } from './put-question.ts'
import { recordUse } from './record-use.ts'

/** Asks the next question of a conversation, and records the answer's words. Throws a `ModelFailure`. */
export async function askNext(loop: Loop, step: number): Promise<ModelAnswer> {
  const { role, record, notices } = loop
  // A shortened conversation counts as another question, and so does one without its notices.
  for (let changed = 0; ; changed++) {
    try {
      const answer = await ask(loop, `${step}.${changed}`)
      notices.length = 0
      if (answer.text.trim()) loop.said = answer.text
      if (answer.text.trim() && !role.isDocument?.(answer)) await record.say(answer.text)
      await recordUse(loop, answer, questionLength(loop))
      return answer
    } catch (error) {
      if (!(error instanceof ModelFailure)) throw error
      if (error.kind === 'too-long') await makeRoom(loop, error, `${step}.${changed}`)
      else if (!dropNotices(loop, error)) throw error
    }
  }
}

function ask(loop: Loop, step: string): Promise<ModelAnswer> {
  const { talk, role, notices } = loop
  const tools = role.tools()
  const form = role.form?.()
  const told = notices.map((content): ChatCompletionMessageParam => ({ role: 'system', content }))
  const request = {
    messages: [...talk.messages, ...told],
    ...(tools.length > 0 && { tools: offered(tools) }),
    ...(form && { response_format: form }),
  }
  return putQuestion(loop, request, step)
}

/** Shortens a conversation that the model calls too long. If nothing can be left out, throws the model's failure. */
async function makeRoom(loop: Loop, failure: ModelFailure, step: string): Promise<void> {
  const { talk, meters, record } = loop
  meters.context.tooLong(questionLength(loop), windowIn(failure.message))
  if (talk.halve()) {
    const text = 'the conversation is too long for the model; old tool results are shortened'
    return record.write({ type: 'warning', text })
  }
  if (talk.isFresh) throw failure
  await handOver(loop, `${step}.h`, true)
}

/** Drops the notices for models that take system messages only at the beginning. People still read them in the log. */
function dropNotices({ notices }: Loop, { kind, status, code }: ModelFailure): boolean {
  if (notices.length === 0 || kind !== 'refused' || code === BUDGET_EXHAUSTED) return false
  if (status !== 400 && status !== 422) return false
  notices.length = 0
  return true
}
