import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { isTerminal } from '@beadloom/core/records/execution.ts'

/**
 * A token of each execution as last seen: its state while it is live, then the object, which is new with each change.
 */
type Token = ExecutionView | string
export type Known = { of: string; tokens: ReadonlyMap<string, Token> }

/**
 * News in the feed: of reviews, and of work that may have moved a branch. `of` names the feed that is followed (project
 * and epoch): if it changes, everything is new, because nobody knows what happened in between.
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
  // An execution may be gone without its end: a snapshot has only live ones.
  for (const [id, token] of before.tokens) if (typeof token === 'string' && !tokens.has(id)) reviews = work = true
  return { known: { of, tokens }, reviews, work }
}

function tokenOf(execution: ExecutionView): Token {
  const { kind, state, attempt, commit } = execution
  if (kind === 'review') return isTerminal(state) ? execution : state
  return `${state} ${attempt} ${commit ?? ''}`
}
