import type { Execution } from '@beadloom/core/records/execution.ts'
import { LOCAL_ENGINE } from '@beadloom/core/records/engine-name.ts'
import type { CommonDeps, ExecutionDeps } from '../execution/deps.ts'
import { isOver } from '../execution/is-over.ts'
import { engineOf, onEngine } from '../execution/on-engine.ts'
import { compareContainers } from '../sandbox/known-containers.ts'
import { reattach } from '../sandbox/reattach.ts'
import type { LeftContainers } from '../sandbox/unsaved-containers.ts'
import type { LeftBehind } from './drive.ts'
import { runPipeline } from './ending/pipeline.ts'
import type { Executions, ProjectSource } from './executions.ts'

/**
 * Runs before the scheduler starts anything on an engine: looks at it and recovers an earlier server's sandboxes there.
 * Running ones keep running; those without an owner are removed; other instances' containers are never touched.
 *
 * May be repeated after a failure half-way: nothing continues before everything was looked at.
 */
export async function recover(
  common: CommonDeps,
  name: string,
  executions: Executions,
  projects: ProjectSource,
  leftContainers: Pick<LeftContainers, 'sweep'>,
): Promise<void> {
  const deps = onEngine(common, name)
  const isHere = (execution: Execution) => engineOf(deps, execution) === name
  const { listed: owned } = await compareContainers(deps)
  const found: { execution: Execution; left: LeftBehind }[] = []
  for (const execution of deps.store.liveExecutions().filter(isHere)) {
    if (execution.state === 'RUNNING') found.push({ execution, left: await reattach(deps, execution, owned) })
    // A cancel that was accepted while the execution was queued, just before the server died.
    else if (execution.cancelRequestedAt !== null) executions.cancel(execution.id)
  }
  for (const execution of deps.store.unfinishedPipelines().filter(isHere)) {
    await runPipeline({ ...deps, sync: (project) => projects.sync(project) }, execution)
  }
  await leftContainers.sweep(name)
  await deps.engine.tidy(deps.store.containers().map(({ name }) => name))
  for (const { execution, left } of found) executions.reattach(execution, left)
  if (name === LOCAL_ENGINE) void forgetCandidates(deps)
}

/**
 * Runs before anything is opened: containers that waited for an execution, and those of proofs, belonged to the earlier
 * server. Each goes with the first look at its engine.
 */
export async function releaseWaiting(
  store: Pick<CommonDeps['store'], 'containers' | 'releaseContainer'>,
): Promise<void> {
  for (const { name, state } of store.containers()) if (state === 'warm') await store.releaseContainer(name)
}

/** Drops candidates that an end could not remove: its disk was full, or its server died. Not awaited. */
async function forgetCandidates({ store, hub, log }: ExecutionDeps): Promise<void> {
  for (const { id } of store.projects())
    await hub
      .forgetCandidates(id, isOver(store))
      .catch((error) => log.warn({ error, project: id }, 'refs of executions that are over stay'))
}
