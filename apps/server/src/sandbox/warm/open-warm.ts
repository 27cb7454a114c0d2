import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'
import type { CommonDeps } from '../../execution/deps.ts'
import type { Taken } from '../../execution/warm-sandboxes.ts'
import type { HubProject } from '../../ports/hub.ts'
import type { EnvironmentId } from '../../ports/sandbox.ts'
import { checkoutOf } from '../begin-session.ts'
import { AGENT, closeSandbox, openNoted } from '../open-sandbox.ts'
import { checkOut } from './check-out.ts'

export type OpenWarmDeps = Pick<CommonDeps, 'store' | 'engines' | 'hub' | 'clock' | 'log'> & { random: () => number }

export type WantedWarm = {
  name: string
  project: HubProject
  settings: Pick<ProjectSettings, 'engine' | 'limits' | 'services' | 'setup' | 'workBranch'>
  environment: EnvironmentId
}

/** Opens a sandbox without an owner, with the work branch's commit checked out. A failed one leaves nothing behind. */
export async function openWarm(
  deps: OpenWarmDeps,
  { name, project, settings, environment }: WantedWarm,
  signal: AbortSignal,
): Promise<Taken> {
  const commit = await newestCommit(deps, project, settings.workBranch)
  const { cpus, memoryBytes, processes } = settings.limits
  const hosts = settings.services.map((service) => service.name)
  const spec = { name, environment, network: 'none' as const, hosts, cpus, memoryBytes, processes }
  signal.throwIfAborted()
  const { engines, store, log } = deps
  const engine = engines.of(engines.nameOf(settings.engine))
  const opened = await openNoted(
    { engine, store, log },
    {
      ...spec,
      owner: null,
      purpose: AGENT.kind,
      project: project.id,
      keepsWork: true,
    },
  )
  try {
    signal.throwIfAborted()
    await checkOut(
      deps,
      opened.sandbox,
      { id: project.id, setup: settings.setup },
      checkoutOf(settings.workBranch, commit),
      signal,
    )
    signal.throwIfAborted()
    await opened.sandbox.stepAhead()
    signal.throwIfAborted()
    return { ...opened, checkedOut: commit }
  } catch (error) {
    await closeSandbox({ deps }, opened.sandbox)
    throw error
  }
}

/** The hub's newest commit: no remote is asked for a sandbox that may never be needed. */
async function newestCommit({ hub }: OpenWarmDeps, project: HubProject, workBranch: string): Promise<string> {
  const commit = (await hub.tip(project.id, `refs/heads/${workBranch}`)) ?? (await hub.current(project))?.commit
  if (commit === undefined) throw new Error(`the hub has no commit of ${project.id} yet`)
  return commit
}
