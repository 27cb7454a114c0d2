import { join } from 'node:path'
import type { ExecutionId } from '@beadloom/core/ids.ts'
import type { SessionKind } from '@beadloom/core/execution/session.ts'
import type { LiveExecution } from '../execution/live-execution.ts'
import { Link } from '../link/link.ts'
import { crashPoint } from '../process/crash-point.ts'

/** A container of an execution with the link that belongs to it. */
export type Sandbox = { readonly id: string; readonly link: Link }

/** `serial` tells an execution's containers apart: `setup`, `work`, `verify-2`. */
export type SandboxPlan = { kind: SessionKind; serial: string; image: string; network: 'none' | 'bridge' }

/** What every agent's container is called within its execution. */
export const AGENT = { kind: 'work', serial: 'work' } as const

/** The same for every server that looks at this execution, so that a restarted one puts a new socket into the old place. */
export const linkFolderOf = (root: string, execution: ExecutionId, serial: string): string =>
  join(root, `${execution}-${serial}`)

/** Creates a container with its own link; nothing of it is left behind when that fails half-way. */
export async function openSandbox({ id, deps, settings, stopper }: LiveExecution, plan: SandboxPlan): Promise<Sandbox> {
  const { engine, clock, linkFolder, linkLimits, store } = deps
  const link = await Link.open(linkFolderOf(linkFolder, id, plan.serial), clock, linkLimits)
  stopper.letGo.addEventListener('abort', () => link.letGo(), { once: true })
  try {
    const created = await engine.create({
      name: `beadloom-${id}-${plan.serial}`,
      image: plan.image,
      labels: { execution: id, kind: plan.kind },
      network: plan.network,
      linkFolder: link.folder,
      cpus: settings.limits.cpus,
      memoryBytes: settings.limits.memoryBytes,
      processes: settings.limits.processes,
    })
    crashPoint('after-create')
    if (created.clamped.length > 0) await store.addEvent(id, null, 'clamped', { limits: created.clamped })
    return { id: created.id, link }
  } catch (error) {
    await link.close()
    throw error
  }
}

/** Removes it with everything in it. Never rejects: what cannot be removed now is removed later. */
export async function closeSandbox(
  { deps: { engine, log } }: Pick<LiveExecution, 'deps'>,
  sandbox: Sandbox,
): Promise<void> {
  crashPoint('before-remove')
  try {
    await engine.remove(sandbox.id)
  } catch (error) {
    // Docker may be away; the next sweep removes what carries the server's label.
    log.warn({ error, container: sandbox.id }, 'a container could not be removed now')
  }
  await closeLink(log, sandbox.link)
}

/** Nothing that goes wrong here may take the place of how the execution ended. */
export const closeLink = (log: LiveExecution['deps']['log'], link: Link): Promise<void> =>
  link.close().catch((error) => log.warn({ error, folder: link.folder }, 'the folder of a link could not be removed'))
