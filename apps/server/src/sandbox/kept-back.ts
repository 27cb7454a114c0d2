import { keptBackText } from '@beadloom/core/gateway/opened-words.ts'
import type { Refusal } from '@beadloom/core/gateway/walk.ts'
import type { SessionId } from '@beadloom/core/records/ids.ts'
import type { LiveExecution } from '../execution/live-execution.ts'

/** Callers choose the names, so an execution is told about so many at most. */
const MOST_NAMES = 40

const told = new WeakMap<LiveExecution, Set<string>>()

/** Tells what did not reach the model, each name once for an execution. */
export function tellKeptBack(
  live: LiveExecution,
  session: SessionId,
  dropped: readonly string[],
  refused: Refusal | null,
): void {
  if (dropped.length === 0 && !refused) return
  const known = told.get(live) ?? new Set<string>()
  told.set(live, known)
  const isNew = (name: string): boolean => {
    if (known.has(name) || known.size >= MOST_NAMES) return false
    known.add(name)
    return true
  }
  const left = dropped.filter(isNew)
  const no = refused && isNew(`refused ${refused.what}`) ? refused : null
  if (left.length === 0 && !no) return
  const { store, recorder } = live.deps
  const text = keptBackText(left, no)
  void store.addEvent(live.id, session, 'kept_back', { dropped: left, refused: no?.what ?? null, text })
  recorder.note(session, text)
}
