import type { Bead } from '@beadloom/core/records/bead.ts'
import type { Execution } from '@beadloom/core/records/execution.ts'
import { afterEnd, isClosed } from '@beadloom/core/bead/after-end.ts'
import { followUpKindOf, followUpOf } from '@beadloom/core/bead/follow-up.ts'
import type { ExecutionId } from '@beadloom/core/records/ids.ts'
import { pipelineOrder } from '../../ports/store/executions.ts'
import { crashPoint } from '../../process/crash-point.ts'
import type { ExecutionDeps } from '../../execution/deps.ts'
import { followUpFacts } from './follow-up-facts.ts'

type BeadDeps = Pick<ExecutionDeps, 'store' | 'hub' | 'logs' | 'log' | 'aside'>

/** The bead's part of an end: its status, then the bead that follows from it. Safe to repeat. */
export async function beadAfterEnd(deps: BeadDeps, execution: Execution): Promise<void> {
  if (execution.startedAt === null) return // cancelled while queued: the bead never moved
  const bead = deps.store.bead(execution.project, execution.bead)
  try {
    if (bead) await moveBead(deps, execution, bead)
    for (const queued of await deps.store.endFollowUps(execution.id)) await finishUnstarted(deps, queued)
    crashPoint('after-bead-move')
  } finally {
    // A follow-up may have been closed just now, with the bead that it was filed for.
    const now = deps.store.bead(execution.project, execution.bead)
    if (bead && now && !isClosed(bead) && !isClosed(now)) await fileFollowUp(deps, execution, bead)
  }
}

/** It moved no bead and had no container: nothing is left to do after its end. */
async function finishUnstarted({ store }: BeadDeps, id: ExecutionId): Promise<void> {
  for (const step of pipelineOrder) await store.pipelineDone(id, step)
}

async function moveBead({ store }: BeadDeps, execution: Execution, bead: Bead): Promise<void> {
  const { project, bead: id } = execution
  const changed = execution.state === 'COMPLETED' ? store.changedSince(project, id) : []
  const after = afterEnd(execution, bead, store.executions({ project, bead: id, limit: 10 }), changed.length > 0)
  if (after.do === 'outdated') return store.trackerOutdated(project, id, changed)
  if (after.do === 'nothing') return
  const moved = await store.moveBead(project, id, after.event)
  if (typeof moved !== 'object') return
  // A person has closed or reopened it meanwhile; their choice wins.
  const text = `somebody set the bead to ${bead.status} while it ran, so it stays ${bead.status}`
  await store.addEvent(execution.id, null, 'warning', { text })
}

async function fileFollowUp(deps: BeadDeps, execution: Execution, bead: Bead): Promise<void> {
  if (followUpKindOf(execution) === null) return
  // It repeats output, and may reach the remote with the tracker.
  const facts = await deps.aside.masked(await followUpFacts(deps, execution, bead))
  const followUp = followUpOf(facts)
  if (followUp) await deps.store.fileFollowUp(execution.id, followUp)
  crashPoint('after-follow-up')
}
