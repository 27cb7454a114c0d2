import type { ExecutionId } from '@beadloom/core/records/ids.ts'
import { evidenceImage } from '@beadloom/core/views/evidence-image.ts'
import { noExecution } from '../../app/stored/refusals.ts'
import { evidenceFacts } from '../../app/views/evidence-facts.ts'
import { Problem } from '../../ports/problem.ts'
import type { Store } from '../../ports/store.ts'

/** The recorded facts about an execution's work as a picture (SVG). Only executions of work have any. */
export function evidenceImageOf(store: Store, id: ExecutionId): string | Problem {
  const execution = store.execution(id)
  if (!execution) return noExecution(id)
  if (execution.kind !== 'work') return new Problem(409, 'no_evidence', `${id} is no work, so there is nothing to show`)
  const title = store.bead(execution.project, execution.bead)?.title ?? ''
  return evidenceImage({ ...evidenceFacts(store, execution), project: execution.project, bead: execution.bead, title })
}
