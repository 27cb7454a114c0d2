import type { Execution } from '@beadloom/core/execution/execution.ts'
import { LOCAL_ENGINE } from '@beadloom/core/project/engine-name.ts'
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
 * Before the scheduler starts anything on an engine: looks at it and picks up what a server that died or went down left
 * behind there. What runs keeps running; what nobody owns is removed; containers of other instances are never touched.
 *
 * May be repeated after it has failed half-way: nothing continues before everything was looked at.
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
 * Before anything is opened: containers that waited for an execution, and those of proofs, were the server's before this one.
 * Each goes with the first look at its engine.
 */
export async function releaseWaiting(
  store: Pick<CommonDeps['store'], 'containers' | 'releaseContainer'>,
): Promise<void> {
  for (const { name, state } of store.containers()) if (state === 'warm') await store.releaseContainer(name)
}

/** What an end could not remove: its disk was full, or its server died. Nobody waits for it. */
async function forgetCandidates({ store, hub, log }: ExecutionDeps): Promise<void> {
  for (const { id } of store.projects())
    await hub
      .forgetCandidates(id, isOver(store))
      .catch((error) => log.warn({ error, project: id }, 'refs of executions that are over stay'))
}
