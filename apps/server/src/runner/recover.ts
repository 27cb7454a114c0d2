import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Execution } from '@beadloom/core/execution.ts'
import type { OwnedContainer } from '../ports/engine.ts'
import type { RunnerDeps } from './deps.ts'
import { runPipeline } from './pipeline.ts'
import type { RunContainer } from './run-context.ts'
import type { ProjectSource, Runner } from './runner.ts'
import { takeUp } from './take-up.ts'

/**
 * Before the scheduler starts anything: looks at Docker and takes up what a server that died or went down left behind.
 * What runs goes on; what nobody owns is removed; containers of other instances are never touched.
 *
 * May be repeated after it has failed half-way: nothing goes on before everything was looked at.
 */
export async function recover(deps: RunnerDeps, runner: Runner, projects: ProjectSource): Promise<void> {
  const containers = await deps.engine.list()
  const taken: { execution: Execution; container: RunContainer | null }[] = []
  for (const execution of deps.store.liveExecutions()) {
    if (execution.state === 'RUNNING')
      taken.push({ execution, container: await takeUp(deps, execution, of(execution, containers)) })
    // A cancel that was accepted while the execution was queued, just before the server died.
    else if (execution.cancelRequestedAt !== null) runner.cancel(execution.id)
  }
  for (const execution of deps.store.unfinishedPipelines()) {
    await runPipeline({ ...deps, sync: (project) => projects.sync(project) }, execution)
  }
  await removeOrphans(deps)
  await removeLinks(
    deps.linkFolder,
    taken.flatMap(({ container }) => container?.link.folder ?? []),
  )
  for (const { execution, container } of taken) runner.resume(execution, container)
}

const of = ({ id }: Execution, containers: OwnedContainer[]): OwnedContainer[] =>
  containers.filter(({ execution }) => execution === id)

/** Folders of links that belong to nothing that goes on. */
async function removeLinks(root: string, kept: string[]): Promise<void> {
  for (const name of await readdir(root)) {
    const folder = join(root, name)
    if (!kept.includes(folder)) await rm(folder, { recursive: true, force: true })
  }
}

/** Removes every container whose execution is over: Docker may have been away when it was to go. */
export async function removeOrphans({ engine, store, log }: RunnerDeps): Promise<void> {
  const containers = await engine.list()
  // Asked after the list: what was started meanwhile is live, and so is left alone.
  const live = new Set(store.liveExecutions().map(({ id }) => String(id)))
  for (const { id, execution } of containers) {
    if (live.has(execution)) continue
    await engine.remove(id).catch((error) => log.warn({ error, container: id }, 'an orphan stays for now'))
  }
}
