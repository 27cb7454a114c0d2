import type { ExecutionView } from '@beadloom/core/api/api.ts'
import { isTerminal } from '@beadloom/core/execution/execution.ts'

/** What was seen of each execution: as long as it lives its state, after that the object, which changes with it. */
type Token = ExecutionView | string
export type Known = { of: string; tokens: ReadonlyMap<string, Token> }

/**
 * What the feed has that was not there before: of reviews, and of work that may have moved a branch. `of` names what is
 * followed (project and epoch): with another one everything is new, because what happened in between is not known.
 */
export function newsOf(
  before: Known,
  of: string,
  executions: Iterable<ExecutionView>,
): { known: Known; reviews: boolean; work: boolean } {
  const tokens = new Map<string, Token>()
  let reviews = before.of !== of
  let work = reviews
  for (const one of executions) {
    const token = tokenOf(one)
    tokens.set(one.id, token)
    if (before.tokens.get(one.id) === token) continue
    if (one.kind === 'review') reviews = true
    else work = true
  }
  // One that is gone without its end: a snapshot has only what lives.
  for (const [id, token] of before.tokens) if (typeof token === 'string' && !tokens.has(id)) reviews = work = true
  return { known: { of, tokens }, reviews, work }
}

function tokenOf(execution: ExecutionView): Token {
  const { kind, state, attempt, commit } = execution
  if (kind === 'review') return isTerminal(state) ? execution : state
  return `${state} ${attempt} ${commit ?? ''}`
}
