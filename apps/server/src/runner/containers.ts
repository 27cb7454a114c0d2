import { join } from 'node:path'
import type { ExecutionId } from '@beadloom/core/ids.ts'
import type { SessionKind } from '@beadloom/core/execution/session.ts'
import { Link } from '../link/link.ts'
import { crashPoint } from '../process/crash-point.ts'
import type { RunContainer, RunContext } from './run-context.ts'

/** `serial` tells an execution's containers apart: `setup`, `work`, `verify-2`. */
export type ContainerPlan = { kind: SessionKind; serial: string; image: string; network: 'none' | 'bridge' }

/** The same for every server that looks at this execution, so that a restarted one puts a new socket into the old place. */
export const linkFolderOf = (root: string, execution: ExecutionId, serial: string): string =>
  join(root, `${execution}-${serial}`)

/** Creates a container with its own link; nothing of it is left behind when that fails half-way. */
export async function openContainer(run: RunContext, plan: ContainerPlan): Promise<RunContainer> {
  const { engine, clock, linkFolder, store } = run.deps
  const { execution, settings } = run
  const link = await Link.open(linkFolderOf(linkFolder, execution.id, plan.serial), clock)
  run.stopper.letGo.addEventListener('abort', () => link.letGo(), { once: true })
  try {
    const created = await engine.create({
      name: `beadloom-${execution.id}-${plan.serial}`,
      image: plan.image,
      labels: { execution: execution.id, kind: plan.kind },
      network: plan.network,
      linkFolder: link.folder,
      cpus: settings.limits.cpus,
      memoryBytes: settings.limits.memoryBytes,
      processes: settings.limits.processes,
    })
    crashPoint('after-create')
    if (created.clamped.length > 0) store.addEvent(execution.id, null, 'clamped', { limits: created.clamped })
    return { id: created.id, link }
  } catch (error) {
    await link.close()
    throw error
  }
}

export async function closeContainer(run: RunContext, container: RunContainer): Promise<void> {
  crashPoint('before-remove')
  try {
    await run.deps.engine.remove(container.id)
  } catch (error) {
    // Docker may be away; the next start of the server removes what carries its label.
    run.deps.log.warn({ error, container: container.id }, 'a container could not be removed now')
  }
  // Nothing that goes wrong here may take the place of how the execution ended.
  await container.link
    .close()
    .catch((error) => run.deps.log.warn({ error, folder: container.link.folder }, 'a link stays behind'))
}
