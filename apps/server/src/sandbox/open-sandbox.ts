import type { ExecutionId } from '@beadloom/core/ids.ts'
import type { SessionKind } from '@beadloom/core/execution/session.ts'
import type { LiveExecution } from '../execution/live-execution.ts'
import type { EnvironmentId, Sandbox } from '../ports/sandbox.ts'
import { crashPoint } from '../process/crash-point.ts'

/**
 * `serial` tells an execution's sandboxes apart: `setup`, `work`, `verify-2`. `keepsWork`: what is left in it when it
 * ends is worth saving, so it is not removed before that is saved.
 */
export type SandboxPlan = {
  kind: SessionKind
  serial: string
  environment: EnvironmentId
  network: 'none' | 'bridge'
  keepsWork?: boolean
}

/** What every agent's sandbox is called within its execution. */
export const AGENT = { kind: 'work', serial: 'work' } as const

const nameOf = (execution: ExecutionId, serial: string): string => `beadloom-${execution}-${serial}`

/**
 * Opens a sandbox. It is written down before the engine is asked; what fails half-way is removed now or by the next
 * sweep.
 */
export async function openSandbox(
  { id, deps, project, settings, stopper }: LiveExecution,
  plan: SandboxPlan,
): Promise<Sandbox> {
  const { engine, store, log } = deps
  const { kind: purpose, environment, network, keepsWork = false } = plan
  const name = freeName(deps, id, plan.serial)
  const { cpus, memoryBytes, processes } = settings.limits
  try {
    await store.addContainer({ name, project: project.id, environment, purpose, owner: id, keepsWork })
    const spec = { name, environment, owner: id, purpose, network, cpus, memoryBytes, processes }
    const { sandbox, clamped } = await engine.open(spec)
    stopper.letGo.addEventListener('abort', () => sandbox.letGo(), { once: true })
    crashPoint('after-create')
    await store.containerCreated(name, sandbox.id)
    if (clamped.length > 0) await store.addEvent(id, null, 'clamped', { limits: clamped })
    return sandbox
  } catch (error) {
    noted(log, () => store.releaseContainer(name))
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
  { deps: { store, log } }: Pick<LiveExecution, 'deps'>,
  sandbox: Sandbox,
): Promise<void> {
  noted(log, () => store.releaseContainer(sandbox.name))
  crashPoint('before-remove')
  try {
    await sandbox.close()
    noted(log, () => store.forgetContainer(sandbox.name))
  } catch (error) {
    log.warn({ error, container: sandbox.id }, 'a container could not be removed now')
  }
}

/**
 * Nobody waits for it: on a full disk, removing the container may be what makes room. The engine's list is compared with
 * what is stored, so that a note that is lost is made up for.
 */
function noted(log: LiveExecution['deps']['log'], write: () => void | Promise<void>): void {
  const failed = (error: unknown) => log.error({ error }, 'a note about a container could not be stored')
  void (async () => write())().catch(failed)
}
