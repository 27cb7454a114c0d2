import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Execution } from '@beadloom/core/execution.ts'
import { Link } from '../link/link.ts'
import type { OwnedContainer } from '../ports/engine.ts'
import { closeContainer, linkFolderOf } from './containers.ts'
import type { RunnerDeps } from './deps.ts'
import { endSessions } from './end-sessions.ts'
import { failed } from './failed.ts'
import { runPipeline } from './pipeline.ts'
import type { ProjectSource, Runner } from './runner.ts'
import { saveWork } from './save-work.ts'
import { Stopper } from './stop.ts'

/**
 * Before the scheduler starts anything: settles what a server that died left behind. What an agent had not committed
 * is saved first, then its container goes; containers of other instances are never touched.
 */
export async function recover(deps: RunnerDeps, runner: Runner, projects: ProjectSource): Promise<void> {
  const containers = await deps.engine.list()
  const waiting: Execution[] = []
  for (const execution of deps.store.liveExecutions()) {
    if (execution.pendingPush !== null) waiting.push(execution)
    else if (execution.state === 'RUNNING') await settle(deps, runner, projects, execution, containers)
    // A cancel that was accepted while the execution was queued, just before the server died.
    else if (execution.cancelRequestedAt !== null) runner.cancel(execution.id)
  }
  for (const execution of deps.store.unfinishedPipelines()) {
    await runPipeline({ ...deps, sync: (project) => projects.sync(project) }, execution)
  }
  await removeOrphans(deps)
  // No execution runs yet, so that every folder of a link belongs to one that is over.
  for (const name of await readdir(deps.linkFolder))
    await rm(join(deps.linkFolder, name), { recursive: true, force: true })
  // Their work is verified, and nothing of them is in a container: only the remote is missing.
  for (const execution of waiting) runner.resume(execution, null)
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

async function settle(
  deps: RunnerDeps,
  runner: Runner,
  projects: ProjectSource,
  execution: Execution,
  containers: OwnedContainer[],
): Promise<void> {
  endSessions(deps.store, execution.id, 'the server stopped while it ran')
  const savedRef = await saveFrom(deps, runner, projects, execution, containers)
  if (execution.cancelRequestedAt !== null) {
    return runner.finish(execution.id, { state: 'CANCELLED', detail: `Cancelled by a person.${keptText(savedRef)}` })
  }
  await runner.finish(execution.id, failed({ kind: 'server_restarted' }, keptText(savedRef)))
}

const keptText = (ref: string | null): string => (ref ? ` What it left is saved on ${ref}.` : '')

async function saveFrom(
  deps: RunnerDeps,
  runner: Runner,
  projects: ProjectSource,
  execution: Execution,
  containers: OwnedContainer[],
): Promise<string | null> {
  const container = containers.find((one) => one.execution === execution.id && one.kind === 'work')
  if (!container) return null
  try {
    const { hub, settings } = projects.open(execution.project)
    const run = runner.context(execution, hub, settings, new Stopper())
    const link = await Link.open(linkFolderOf(deps.linkFolder, execution.id, 'work'), deps.clock)
    const held = { id: container.id, link }
    const ref = await saveWork(run, held)
    await closeContainer(run, held)
    return ref
  } catch (error) {
    deps.log.warn({ error, execution: execution.id }, 'what its container holds cannot be saved')
    return null
  }
}
