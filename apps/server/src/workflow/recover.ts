import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Execution } from '@beadloom/core/execution/execution.ts'
import type { ExecutionDeps } from '../execution/deps.ts'
import type { OwnedContainer } from '../ports/engine.ts'
import { reattach } from '../sandbox/reattach.ts'
import { isUnsaved, saveAgain } from '../sandbox/unsaved-containers.ts'
import type { LeftBehind } from './drive.ts'
import { runPipeline } from './ending/pipeline.ts'
import type { Executions, ProjectSource } from './executions.ts'

/**
 * Before the scheduler starts anything: looks at Docker and picks up what a server that died or went down left behind.
 * What runs keeps running; what nobody owns is removed; containers of other instances are never touched.
 *
 * May be repeated after it has failed half-way: nothing continues before everything was looked at.
 */
export async function recover(deps: ExecutionDeps, executions: Executions, projects: ProjectSource): Promise<void> {
  const containers = await deps.engine.list()
  const found: { execution: Execution; left: LeftBehind }[] = []
  for (const execution of deps.store.liveExecutions()) {
    if (execution.state === 'RUNNING')
      found.push({ execution, left: { sandbox: await reattach(deps, execution, of(execution, containers)) } })
    // A cancel that was accepted while the execution was queued, just before the server died.
    else if (execution.cancelRequestedAt !== null) executions.cancel(execution.id)
  }
  for (const execution of deps.store.unfinishedPipelines()) {
    await runPipeline({ ...deps, sync: (project) => projects.sync(project) }, execution)
  }
  await sweep(deps, executions)
  await removeLinks(deps)
  for (const { execution, left } of found) executions.reattach(execution, left)
}

const of = ({ id }: Execution, containers: OwnedContainer[]): OwnedContainer[] =>
  containers.filter(({ execution }) => execution === id)

/** Folders of links whose container is gone. */
async function removeLinks({ engine, linkFolder }: ExecutionDeps): Promise<void> {
  const kept = new Set((await engine.list()).map(({ execution, kind }) => `${execution}-${kind}`))
  for (const name of await readdir(linkFolder))
    if (!kept.has(name)) await rm(join(linkFolder, name), { recursive: true, force: true })
}

/** Removes every container whose execution is over, once what it holds is saved. */
export const sweep = (deps: ExecutionDeps, executions: Executions): Promise<void> =>
  removeOrphans(deps, (container) => saveAgain(deps, container, (execution) => executions.liveOf(execution)))

/** Docker may have been away when they were to go. Those that are kept are asked for with `stays`. */
export async function removeOrphans(
  deps: ExecutionDeps,
  stays: (container: OwnedContainer) => Promise<boolean> = async () => false,
): Promise<void> {
  const { engine, store, log } = deps
  const containers = await engine.list()
  // Asked after the list: what was started meanwhile is live, and so is left alone.
  const live = new Set(store.liveExecutions().map(({ id }) => String(id)))
  for (const container of containers) {
    const { id, execution } = container
    if (live.has(execution) || (isUnsaved(deps, container) && (await stays(container)))) continue
    await engine.remove(id).catch((error) => log.warn({ error, container: id }, 'an orphan stays for now'))
  }
}
