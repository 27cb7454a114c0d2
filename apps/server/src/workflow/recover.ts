import type { Execution } from '@beadloom/core/records/execution.ts'
import { LOCAL_ENGINE } from '@beadloom/core/records/engine-name.ts'
import type { ProjectId } from '@beadloom/core/records/ids.ts'
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
 * Runs before the scheduler starts anything on an engine: looks at it and continues an earlier server's executions
 * there. Their sandboxes keep running; those that are not needed are removed first, since services of two sessions
 * would share a sandbox's ports; other instances' containers are never touched. No remote is asked: agents wait for
 * the server meanwhile.
 *
 * May be repeated after a failure half-way: nothing continues before everything was looked at, and nothing twice.
 */
export async function recover(
  common: CommonDeps,
  name: string,
  executions: Executions,
  leftContainers: Pick<LeftContainers, 'removeUnneeded'>,
): Promise<void> {
  const deps = onEngine(common, name)
  const { listed: owned } = await compareContainers(deps)
  const found: { execution: Execution; left: LeftBehind }[] = []
  for (const execution of deps.store.liveExecutions()) {
    if (engineOf(deps, execution) !== name || executions.isInHand(execution.id)) continue
    if (execution.state === 'RUNNING') found.push({ execution, left: await reattach(deps, execution, owned) })
    // A cancel that was accepted while the execution was queued, just before the server died.
    else if (execution.cancelRequestedAt !== null) executions.cancel(execution.id)
  }
  await leftContainers.removeUnneeded(name)
  await deps.engine.tidy(deps.store.containers().map((row) => row.name))
  for (const { execution, left } of found) executions.reattach(execution, left)
  if (name === LOCAL_ENGINE) void forgetCandidates(deps)
}

/**
 * Runs the pipelines that an earlier server left unfinished, each project's in the order of their ends. Runs before the
 * scheduler starts anything: a bead's last end moves it before it runs again. Asks remotes, which may take long.
 *
 * Throws if the store could not write; may be repeated.
 */
export async function finishPipelines(deps: CommonDeps, projects: Pick<ProjectSource, 'sync'>): Promise<void> {
  const ending = { ...deps, sync: (project: ProjectId) => projects.sync(project) }
  const ofProjects = Map.groupBy(deps.store.unfinishedPipelines(), ({ project }) => project)
  const ends = await Promise.allSettled(
    [...ofProjects.values()].map(async (ended) => {
      for (const execution of ended) await runPipeline(ending, execution)
    }),
  )
  for (const end of ends) if (end.status === 'rejected') throw end.reason
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
