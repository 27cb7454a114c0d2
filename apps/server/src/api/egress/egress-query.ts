import type { EgressView } from '@beadloom/core/api/executions/egress-api.ts'
import { proposedAllow, reachedWords, type EgressEntry } from '@beadloom/core/egress/ledger.ts'
import type { ExecutionId, ProjectId } from '@beadloom/core/records/ids.ts'
import type { Problem } from '../../ports/problem.ts'
import type { ProjectRow } from '../../ports/store/projects.ts'
import type { Store } from '../../ports/store.ts'
import { settingsOf } from '../../app/stored/stored-settings.ts'
import { noExecution, noProject } from '../../app/stored/refusals.ts'

export type EgressReads = Pick<Store, 'project' | 'execution' | 'egressOf' | 'egressOfProject'>

export function egressOf(store: EgressReads, id: ExecutionId): EgressView | Problem {
  const execution = store.execution(id)
  return execution ? viewOf(store.project(execution.project), store.egressOf(id)) : noExecution(id)
}

/** Covers everything that is kept: the project's executions, and the proofs of its base. */
export function egressOfProject(store: EgressReads, id: ProjectId): EgressView | Problem {
  const row = store.project(id)
  return row ? viewOf(row, store.egressOfProject(id)) : noProject(id)
}

function viewOf(row: ProjectRow | null, items: EgressEntry[]): EgressView {
  const settings = row && settingsOf(row)
  const { network, allow } = settings ?? { network: 'none' as const, allow: [] }
  return {
    network,
    allow,
    items,
    reached: reachedWords(items, { network, allow }),
    proposed: proposedAllow(allow, items),
  }
}
