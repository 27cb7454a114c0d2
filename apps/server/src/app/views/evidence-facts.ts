import { workCommit, type EvidenceFacts } from '@beadloom/core/views/evidence.ts'
import type { Execution } from '@beadloom/core/records/execution.ts'
import type { Store } from '../../ports/store.ts'

/** The recorded facts about an execution's work. */
export function evidenceFacts(store: Store, execution: Execution): EvidenceFacts {
  const facts = {
    ...execution,
    verifications: store.verifications(execution.id),
    sessions: store.sessions(execution.id),
  }
  const commit = workCommit(facts)
  const review = commit === null ? null : store.reviewOf(execution.project, execution.bead, commit)
  const reviewed = review?.verdict ? { model: review.model, verdict: review.verdict } : null
  return { ...facts, reviewed }
}
