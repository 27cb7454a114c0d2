import type { Call } from '../call.ts'
import { withModel } from './shaped-request.ts'

/** Sends a call that has waited to the model that a person has chosen since it was read. */
export function followChosenModel(call: Call): void {
  const target = call.reroute()
  if ('failed' in target || target.model === call.model) return
  call.body = withModel(call, target.model)
  Object.assign(call, target)
}
