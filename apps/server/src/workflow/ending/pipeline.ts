import { assertNever } from '@beadloom/core/text/assert-never.ts'
import type { Execution } from '@beadloom/core/records/execution.ts'
import type { ExecutionId } from '@beadloom/core/records/ids.ts'
import { messageOf } from '@beadloom/core/text/message-of.ts'
import { EngineError } from '../../ports/engine.ts'
import type { PipelineStep } from '../../ports/store/executions.ts'
import type { PatientStore } from '../../ports/store/patient.ts'
import { pipelineOrder } from '../../ports/store/executions.ts'
import { isPassing } from '../../ports/store/errors.ts'
import { crashPoint } from '../../process/crash-point.ts'
import { compareContainers } from '../../sandbox/known-containers.ts'
import { engineOf } from '../../execution/on-engine.ts'
import { isOver } from '../../execution/is-over.ts'
import { kinds } from '../kinds.ts'
import type { EndingDeps } from './deps.ts'

/** Running pipelines: a second call for one of them waits for it, so that no step runs twice at the same time. */
const running = new WeakMap<PatientStore, Map<ExecutionId, Promise<void>>>()

/**
 * The steps after every terminal state: the bead's status and its follow-up, the tracker, the leftovers. Each step is
 * isolated, recorded and run once: a server that dies half-way continues with the next one when it is back.
 *
 * Throws if the store could not write: the steps concerned are not recorded, and the next call runs them.
 */
export function runPipeline(deps: EndingDeps, execution: Execution): Promise<void> {
  const ofStore = running.get(deps.store) ?? new Map<ExecutionId, Promise<void>>()
  running.set(deps.store, ofStore)
  const known = ofStore.get(execution.id)
  if (known) return known
  const run = runSteps(deps, execution).finally(() => ofStore.delete(execution.id))
  ofStore.set(execution.id, run)
  return run
}

async function runSteps(deps: EndingDeps, execution: Execution): Promise<void> {
  const done = new Set(deps.store.pipelineSteps(execution.id))
  const unwritten: unknown[] = []
  for (const step of pipelineOrder) {
    if (done.has(step)) continue
    try {
      await runIsolated(deps, execution, step)
      await deps.store.pipelineDone(execution.id, step)
      if (step === 'bead') crashPoint('after-bead-step')
    } catch (error) {
      if (!deps.store.execution(execution.id)) continue // its project was removed meanwhile
      unwritten.push(error) // the others still run: removing leftovers may make room
    }
  }
  if (unwritten.length > 0) throw unwritten[0]
}

/** A step that fails is over, with a warning, except if nothing can be written: that passes. */
async function runIsolated(deps: EndingDeps, execution: Execution, step: PipelineStep): Promise<void> {
  try {
    await runStep(deps, execution, step)
  } catch (error) {
    if (isPassing(error)) throw error
    deps.log.error({ error, execution: execution.id, step }, 'a step of the terminal pipeline failed')
    await deps.store.addEvent(execution.id, null, 'warning', {
      text: `the step "${step}" after the end failed: ${messageOf(error)}`,
    })
  }
}

async function runStep(deps: EndingDeps, execution: Execution, step: PipelineStep): Promise<void> {
  switch (step) {
    case 'status':
      return // we are here because of the terminal state itself
    case 'bead':
      return kinds[execution.kind].afterEnd(deps, execution)
    case 'sync':
      return deps.sync(execution.project)
    case 'cleanup':
      return removeLeftovers(deps, execution)
    default:
      return assertNever(step)
  }
}

async function removeLeftovers(deps: EndingDeps, execution: Execution): Promise<void> {
  if (execution.startedAt === null) return // it never had a container, and Docker may be away
  // First: Docker may be away, and nothing else removes these. Its containers are swept.
  await deps.hub
    .forgetCandidates(execution.project, isOver(deps.store))
    .catch((error) => deps.log.warn({ error, execution: execution.id }, 'refs of an execution that is over stay'))
  const { store, log } = deps
  const of = deps.engines.of(engineOf(deps, execution))
  try {
    for (const { row, engine } of (await compareContainers({ store, log, engine: of })).known) {
      if (row.owner !== execution.id || row.state !== 'removing' || !engine) continue
      await of.sandbox(engine).close()
      await deps.store.forgetContainer(row.name)
    }
  } catch (error) {
    if (!isAway(error)) throw error
    log.warn({ error, execution: execution.id }, 'the engine is away: the containers of this execution are swept later')
  }
}

const isAway = (error: unknown): boolean =>
  error instanceof EngineError && (error.kind === 'unreachable' || error.kind === 'timed-out')
