import type { RunChoice } from '../records/execution.ts'

/** A person's choices for the work itself, as a new execution keeps them; empty if there are none. */
export function choiceForWork(chosen: RunChoice): { chosen?: RunChoice } {
  const { agent, model, retryOnFailure, maxRetries } = chosen
  const kept = Object.entries({ agent, model, retryOnFailure, maxRetries }).filter(([, value]) => value !== undefined)
  return kept.length === 0 ? {} : { chosen: Object.fromEntries(kept) as RunChoice }
}
