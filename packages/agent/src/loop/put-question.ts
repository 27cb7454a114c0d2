import type { Loop } from './loop.ts'
import { askModel, type ModelAnswer, type ModelRequest } from './model-call.ts'

/** Asks a question in the name of the loop's agent, and records each retry. Throws a `ModelFailure`. */
export function putQuestion(
  { order: { model }, context: { clock, stop }, client, record, caller }: Loop,
  request: Omit<ModelRequest, 'model'>,
  step: string,
): Promise<ModelAnswer> {
  const onRetry = (why: string) => record.write({ type: 'warning', text: `${why}; trying again` })
  const named = `${caller?.prefix ?? ''}${step}`
  return askModel(client, { model, ...request }, { clock, stop, step: named, agent: caller?.agent, onRetry })
}
