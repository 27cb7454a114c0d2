import { assertNever } from '@beadloom/core/assert-never.ts'
import type { BeadEvent } from '@beadloom/core/bead.ts'
import type { Execution, ExecutionState } from '@beadloom/core/execution.ts'
import type { ProjectId } from '@beadloom/core/ids.ts'
import type { PipelineStep } from '../ports/store.ts'
import { pipelineOrder } from '../ports/store.ts'
import type { RunnerDeps } from './deps.ts'

export type PipelineDeps = Pick<RunnerDeps, 'store' | 'engine' | 'log'> & {
  sync: (project: ProjectId) => Promise<void>
}

/**
 * What follows every terminal state: the bead's status, the tracker, the leftovers. Each step is isolated, recorded and
 * run once: a server that dies half-way goes on with the next one when it is back.
 */
export async function runPipeline(deps: PipelineDeps, execution: Execution): Promise<void> {
  const done = new Set(deps.store.pipelineSteps(execution.id))
  for (const step of pipelineOrder) {
    if (done.has(step)) continue
    try {
      await runStep(deps, execution, step)
    } catch (error) {
      deps.log.error({ error, execution: execution.id, step }, 'a step of the terminal pipeline failed')
      deps.store.addEvent(execution.id, null, 'warning', {
        text: `the step "${step}" after the end failed: ${error instanceof Error ? error.message : String(error)}`,
      })
    }
    deps.store.pipelineDone(execution.id, step)
  }
}

async function runStep(deps: PipelineDeps, execution: Execution, step: PipelineStep): Promise<void> {
  switch (step) {
    case 'status':
      return // the terminal state itself is what brought us here
    case 'bead':
      return moveBead(deps, execution)
    case 'sync':
      return deps.sync(execution.project)
    case 'cleanup':
      return removeLeftovers(deps, execution)
    default:
      return assertNever(step)
  }
}

function moveBead(deps: PipelineDeps, execution: Execution): void {
  if (execution.startedAt === null) return // cancelled while queued: the bead never moved
  const event = beadEventOf(execution)
  const moved = deps.store.moveBead(execution.project, execution.bead, event)
  if (typeof moved !== 'object') return
  // A person has closed or reopened it meanwhile; theirs wins.
  const status = deps.store.bead(execution.project, execution.bead)?.status ?? 'gone'
  const text = `the bead is ${status} since somebody said so while it ran, and stays so`
  deps.store.addEvent(execution.id, null, 'warning', { text })
}

function beadEventOf(execution: Execution): BeadEvent {
  const events: Record<ExecutionState, BeadEvent | null> = {
    QUEUED: null,
    RUNNING: null,
    COMPLETED: { type: 'completed' },
    FAILED: { type: 'failed' },
    BLOCKED: { type: 'blocked' },
    TIMEOUT: { type: 'timed-out' },
    CANCELLED: { type: 'cancelled', former: execution.formerBeadStatus },
  }
  const event = events[execution.state]
  if (!event) throw new Error(`an execution that is ${execution.state} has no pipeline`)
  return event
}

async function removeLeftovers(deps: PipelineDeps, execution: Execution): Promise<void> {
  const left = (await deps.engine.list()).filter((container) => container.execution === execution.id)
  for (const container of left) await deps.engine.remove(container.id)
}
