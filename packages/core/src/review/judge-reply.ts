import { type JudgeAnswer, parseJudgement } from './judge.ts'
import { isObject } from '../text/json-object.ts'

/** A judge's answer, or why there is none. `model`: the name that its server gives it, if any. */
export type Heard = { model: string; answer: JudgeAnswer } | { model: string; wrong: string }

const MODEL_NAME = 100
const MOST_REFUSAL = 500

/**
 * Reads the reply of a model's server, which may have any form.
 *
 * @param known the model's name as it was asked for
 */
export function heardIn({ status, body }: { status: number; body: string }, known: string): Heard {
  const reply = objectIn(body)
  if (status !== 200) {
    const said = isObject(reply['error']) ? reply['error']['message'] : undefined
    return { model: known, wrong: typeof said === 'string' ? said : `the model's server answered ${status}` }
  }
  const named = reply['model']
  const model = typeof named === 'string' && named !== '' ? named.slice(0, MODEL_NAME) : known
  const choices: unknown = reply['choices']
  const choice: unknown = Array.isArray(choices) ? choices[0] : null
  const message = isObject(choice) && isObject(choice['message']) ? choice['message'] : {}
  const { content, refusal } = message
  if (typeof refusal === 'string' && refusal.trim() !== '')
    return { model, wrong: `the model refused: ${refusal.slice(0, MOST_REFUSAL)}` }
  if (isObject(choice) && choice['finish_reason'] === 'length')
    return { model, wrong: "the answer was cut off at the model's maximum length" }
  return { model, ...parseJudgement(typeof content === 'string' ? content : '') }
}

/** Whether a server refused a question for the form that its answer should have: without it, it may answer. */
export const refusedForm = ({ status, body }: { status: number; body: string }): boolean =>
  status === 400 && /response_format|json_schema|structured|grammar/i.test(body)

function objectIn(body: string): Record<string, unknown> {
  try {
    const reply: unknown = JSON.parse(body)
    return isObject(reply) ? reply : {}
  } catch {
    return {}
  }
}
