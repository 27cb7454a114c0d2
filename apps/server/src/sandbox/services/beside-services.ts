import type { SessionId } from '@beadloom/core/records/ids.ts'
import { messageOf } from '@beadloom/core/text/message-of.ts'
import { warn, type LiveExecution } from '../../execution/live-execution.ts'
import { throwIfStopped } from '../../execution/stop.ts'
import type { Sandbox } from '../../ports/sandbox.ts'
import { openServices, type OpenServices, type WantedServices } from './open-services.ts'
import { recordsOf } from './service-records.ts'

/** The session that needs the services. */
type For = { id: SessionId; attempt: number }

/** `troubles`: a sentence for each service that ended while it was needed. */
export type Beside<T> = { result: T; troubles: string[] }

/**
 * Runs a session of an execution with fresh services around it, from before its beginning until after its end. If they
 * do not become ready, the session ends without having begun.
 */
export async function besideServices<T>(
  live: LiveExecution,
  sandbox: Sandbox,
  session: For,
  run: () => Promise<T>,
): Promise<Beside<T>> {
  if (live.settings.services.length === 0) return { result: await run(), troubles: [] }
  const { deps, stopper } = live
  const opening = live.watchdog.whileOursToWait(() => openServices(deps, sandbox, wantedBy(live, session.attempt)))
  const services = await opening.catch(async (error: unknown) => {
    const outcome = stopper.signal.aborted ? 'cancelled' : 'infra_error'
    if (!stopper.detached) await deps.store.endSession(session.id, outcome, null, messageOf(error))
    throwIfStopped(stopper)
    throw error
  })
  return around(live, services, run)
}

export async function around<T>(
  live: LiveExecution,
  services: OpenServices,
  run: () => Promise<T>,
): Promise<Beside<T>> {
  try {
    const result = await run()
    const { troubles } = services
    for (const text of troubles) await warn(live, text)
    return { result, troubles }
  } finally {
    // A server that goes down leaves them to the next one, with their session.
    if (!live.stopper.detached) await services.close()
  }
}

export const wantedBy = (live: LiveExecution, attempt: number): WantedServices => ({
  project: live.project.id,
  owner: live.id,
  services: live.settings.services,
  records: recordsOf(live, attempt),
  onProgress: (text) => void live.deps.store.addEvent(live.id, null, 'services', { text }),
  signal: live.stopper.signal,
  letGo: live.stopper.letGo,
})
