import type { RunChoice } from './execution.ts'

/** What was chosen for the work itself, as a new execution keeps it; nothing where nobody chose anything. */
export function choiceForWork(chosen: RunChoice): { chosen?: RunChoice } {
  const { agent, model, retryOnFailure, maxRetries } = chosen
  const kept = Object.entries({ agent, model, retryOnFailure, maxRetries }).filter(([, value]) => value !== undefined)
  return kept.length === 0 ? {} : { chosen: Object.fromEntries(kept) as RunChoice }
}
