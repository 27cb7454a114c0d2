import type { ExecutionId } from '@beadloom/core/records/ids.ts'
import type { SessionKind } from '@beadloom/core/records/session.ts'
import type { LiveExecution } from '../execution/live-execution.ts'
import type { Opened } from '../ports/engine.ts'
import type { EnvironmentId, Sandbox, SandboxSpec } from '../ports/sandbox.ts'
import type { NewContainer } from '../ports/store/containers.ts'
import { crashPoint } from '../process/crash-point.ts'
import { tellsWait, whenRoom, type Patience } from './wait-for-place.ts'

/**
 * `serial` tells an execution's sandboxes apart: `setup`, `work`, `verify-2`. `keepsWork`: its files at the end are
 * worth saving, so it is not removed before that.
 */
export type SandboxPlan = {
  kind: SessionKind
  serial: string
  environment: EnvironmentId
  network: 'none' | 'bridge'
  keepsWork?: boolean
}

/** The kind and name of every agent's sandbox within its execution. */
export const AGENT = { kind: 'work', serial: 'work' } as const

const nameOf = (execution: ExecutionId, serial: string): string => `beadloom-${execution}-${serial}`

/** Opens a sandbox for an execution. */
export async function openSandbox(live: LiveExecution, plan: SandboxPlan): Promise<Sandbox> {
  const { id, deps, project, settings } = live
  const { kind: purpose, serial, environment, network, keepsWork = false } = plan
  const { cpus, memoryBytes, processes } = settings.limits
  const hosts = settings.services.map((service) => service.name)
  const spec = { environment, network, hosts, cpus, memoryBytes, processes }
  const name = freeName(deps, id, serial)
  const patience = {
    clock: deps.clock,
    signal: live.stopper.signal,
    onWait: tellsWait(live, null, purpose === AGENT.kind),
  }
  const opened = await openNoted(deps, { ...spec, name, owner: id, purpose, project: project.id, keepsWork }, patience)
  hold(live, opened)
  return opened.sandbox
}

/**
 * Opens a sandbox that is stored before the engine is asked; one that fails half-way is removed now or by the next
 * sweep.
 *
 * @param patience for an engine whose quota has no room now; null: do not wait
 */
export async function openNoted(
  { engine, store, log }: Pick<LiveExecution['deps'], 'engine' | 'store' | 'log'>,
  { project, keepsWork, ...spec }: SandboxSpec & Omit<NewContainer, 'engine'>,
  patience: Patience | null = null,
): Promise<Opened> {
  const { name, environment, purpose, owner } = spec
  try {
    await store.addContainer({ name, engine: engine.name, project, environment, purpose, owner, keepsWork })
    const opened = await whenRoom(patience, () => engine.open({ ...spec, project }))
    crashPoint('after-create')
    // Without the note the container is still known by its name, so we need not wait for the disk.
    noted(log, () => store.containerCreated(name, opened.sandbox.id))
    return opened
  } catch (error) {
    noted(log, () => store.releaseContainer(name))
    throw error
  }
}

/**
 * Gives the sandbox to this execution: when the server lets go of one, it lets go of the other. An event names limits
 * that are lower than requested.
 */
export function hold({ id, deps, stopper }: LiveExecution, { sandbox, clamped }: Opened): void {
  if (stopper.letGo.aborted) sandbox.letGo()
  else stopper.letGo.addEventListener('abort', () => sandbox.letGo(), { once: true })
  if (clamped.length > 0) void deps.store.addEvent(id, null, 'clamped', { limits: clamped })
}

/** Finds a name that is not taken by a container that is kept, or could not be removed yet. */
function freeName({ store }: LiveExecution['deps'], execution: ExecutionId, serial: string): string {
  const taken = new Set(store.containers(execution).map(({ name }) => name))
  let name = nameOf(execution, serial)
  for (let number = 2; taken.has(name); number++) name = nameOf(execution, `${serial}-again-${number}`)
  return name
}

/**
 * Removes it with everything in it: call it only when nothing in it is worth saving. Never rejects: if it cannot be
 * removed now, a later sweep removes it.
 */
export async function closeSandbox(
  { deps: { store, log } }: { deps: Pick<LiveExecution['deps'], 'store' | 'log'> },
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
 * Stores a note without waiting: on a full disk, removing the container may be what makes room. The comparison of the
 * engine's list with the store makes up for a lost note.
 */
function noted(log: LiveExecution['deps']['log'], write: () => void | Promise<void>): void {
  const failed = (error: unknown) => log.error({ error }, 'a note about a container could not be stored')
  void (async () => write())().catch(failed)
}
