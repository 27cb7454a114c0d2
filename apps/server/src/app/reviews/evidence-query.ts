import { evidenceImage } from '@beadloom/core/views/evidence-image.ts'
import { workCommit, type EvidenceFacts } from '@beadloom/core/views/evidence.ts'
import type { Execution } from '@beadloom/core/records/execution.ts'
import type { ExecutionId } from '@beadloom/core/records/ids.ts'
import type { Store } from '../../ports/store.ts'
import { Problem } from '../../ports/problem.ts'
import { noExecution } from '../stored/refusals.ts'

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

/** The same as a picture (SVG). Only executions of work have any. */
export function evidenceImageOf(store: Store, id: ExecutionId): string | Problem {
  const execution = store.execution(id)
  if (!execution) return noExecution(id)
  if (execution.kind !== 'work') return new Problem(409, 'no_evidence', `${id} is no work, so there is nothing to show`)
  const title = store.bead(execution.project, execution.bead)?.title ?? ''
  return evidenceImage({ ...evidenceFacts(store, execution), project: execution.project, bead: execution.bead, title })
}
