import { join } from 'node:path'
import type { ExecutionId } from '@beadloom/core/ids.ts'
import type { SessionKind } from '@beadloom/core/execution/session.ts'
import type { LiveExecution } from '../execution/live-execution.ts'
import { Link } from '../link/link.ts'
import { crashPoint } from '../process/crash-point.ts'

/** A container of an execution with the link that belongs to it. */
export type Sandbox = { readonly id: string; readonly name: string; readonly link: Link }

/**
 * `serial` tells an execution's containers apart: `setup`, `work`, `verify-2`. `keepsWork`: what is left in it when it
 * ends is worth saving, so it is not removed before that is saved.
 */
export type SandboxPlan = {
  kind: SessionKind
  serial: string
  image: string
  network: 'none' | 'bridge'
  keepsWork?: boolean
}

/** What every agent's container is called within its execution. */
export const AGENT = { kind: 'work', serial: 'work' } as const

const PREFIX = 'beadloom-'
const nameOf = (execution: ExecutionId, serial: string): string => `${PREFIX}${execution}-${serial}`

/** The same for every server that looks at this container, so that a restarted one puts a new socket into the old place. */
export const linkFolderOf = (root: string, container: string): string => join(root, container.slice(PREFIX.length))

/**
 * Creates a container with its own link. It is written down before the engine is asked; what fails half-way is removed
 * now or by the next sweep.
 */
export async function openSandbox(
  { id, deps, project, settings, stopper }: LiveExecution,
  plan: SandboxPlan,
): Promise<Sandbox> {
  const { engine, clock, linkFolder, linkLimits, store, log } = deps
  const name = freeName(deps, id, plan.serial)
  const link = await Link.open(linkFolderOf(linkFolder, name), clock, linkLimits)
  stopper.letGo.addEventListener('abort', () => link.letGo(), { once: true })
  try {
    await store.addContainer({
      name,
      project: project.id,
      execution: id,
      purpose: plan.kind,
      keepsWork: plan.keepsWork ?? false,
    })
    const created = await engine.create({
      name,
      image: plan.image,
      labels: { execution: id, kind: plan.kind },
      network: plan.network,
      linkFolder: link.folder,
      cpus: settings.limits.cpus,
      memoryBytes: settings.limits.memoryBytes,
      processes: settings.limits.processes,
    })
    crashPoint('after-create')
    await store.containerCreated(name, created.id)
    if (created.clamped.length > 0) await store.addEvent(id, null, 'clamped', { limits: created.clamped })
    return { id: created.id, name, link }
  } catch (error) {
    noted(log, () => store.releaseContainer(name))
    await link.close()
    throw error
  }
}

/** The name of a container that is kept, or could not be removed yet, is taken. */
function freeName({ store }: LiveExecution['deps'], execution: ExecutionId, serial: string): string {
  const taken = new Set(store.containers(execution).map(({ name }) => name))
  let name = nameOf(execution, serial)
  for (let number = 2; taken.has(name); number++) name = nameOf(execution, `${serial}-again-${number}`)
  return name
}

/**
 * Removes it with everything in it: call it only when nothing in it is worth saving. Never rejects: what cannot be
 * removed now is removed by a later sweep.
 */
export async function closeSandbox(
  { deps: { engine, store, log } }: Pick<LiveExecution, 'deps'>,
  sandbox: Sandbox,
): Promise<void> {
  noted(log, () => store.releaseContainer(sandbox.name))
  crashPoint('before-remove')
  try {
    await engine.remove(sandbox.id)
    noted(log, () => store.forgetContainer(sandbox.name))
  } catch (error) {
    log.warn({ error, container: sandbox.id }, 'a container could not be removed now')
  }
  await closeLink(log, sandbox.link)
}

/**
 * Nobody waits for it: on a full disk, removing the container may be what makes room. The engine's list is compared with
 * what is stored, so that a note that is lost is made up for.
 */
function noted(log: LiveExecution['deps']['log'], write: () => void | Promise<void>): void {
  const failed = (error: unknown) => log.error({ error }, 'a note about a container could not be stored')
  void (async () => write())().catch(failed)
}

/** Nothing that goes wrong here may take the place of how the execution ended. */
export const closeLink = (log: LiveExecution['deps']['log'], link: Link): Promise<void> =>
  link.close().catch((error) => log.warn({ error, folder: link.folder }, 'the folder of a link could not be removed'))
