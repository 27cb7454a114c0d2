import { createHash } from 'node:crypto'
import { branchName } from '@beadloom/core/records/branch.ts'
import type { Execution } from '@beadloom/core/records/execution.ts'
import { choiceForWork } from '@beadloom/core/execution/run-choice.ts'
import { parseExecutionId, type ExecutionId } from '@beadloom/core/records/ids.ts'
import { isPhased } from '@beadloom/core/records/plan.ts'
import type { ExecutionDeps } from '../../execution/deps.ts'

/** Queues the work that follows a plan, as its person asked for it. A plan that waits for approval has none yet. */
export async function workAfterPlan(
  { store, log }: Pick<ExecutionDeps, 'store' | 'log'>,
  planning: Execution,
): Promise<void> {
  if (planning.kind !== 'plan' || planning.state !== 'COMPLETED') return
  const { project, bead: id, context, chosen, retry, maxAttempts } = planning
  const next = workOf(planning.id)
  const bead = store.bead(project, id)
  const newest = store.plan(project, id)
  if (!bead || !newest || store.execution(next)) return
  const phased = isPhased(newest.plan)
  if (phased && chosen?.planning?.approve === 'ask' && newest.approvedAt === null) return
  const queued = await store.queueExecution({
    id: next,
    project,
    bead: id,
    kind: 'work',
    branch: branchName(id, bead.title),
    context,
    maxAttempts,
    retry,
    ...choiceForWork(chosen ?? {}),
    planVersion: phased ? newest.version : null,
  })
  if ('refused' in queued)
    log.info(
      { project, bead: id, why: queued.refused },
      'the work of a plan was not queued: something else of its bead is live',
    )
}

/** The same for every server that queues it: a plan is followed by one execution. */
const workOf = (planning: ExecutionId): ExecutionId => {
  const digest = createHash('sha256').update(`work after ${planning}`).digest()
  const token = Array.from(digest.subarray(0, 10), (byte) => (byte % 36).toString(36)).join('')
  return parseExecutionId(`ex-${token}`)
}
