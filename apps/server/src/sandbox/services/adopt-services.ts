import type { LiveExecution } from '../../execution/live-execution.ts'
import type { Sandbox } from '../../ports/sandbox.ts'
import { SERVICE } from '../../ports/service.ts'
import { wantedBy } from './beside-services.ts'
import { releaseServices, servicesOf } from './left-services.ts'
import { OpenServices, openServices } from './open-services.ts'
import { RunningService } from './running-service.ts'

/**
 * Takes over the services of a session that an earlier server began. A session begins when all of them are ready, so if
 * one is missing, it has not begun, and they are opened anew.
 */
export async function adoptServices(live: LiveExecution, sandbox: Sandbox, attempt: number): Promise<OpenServices> {
  const { deps, settings, id, stopper } = live
  const wanted = wantedBy(live, attempt)
  const sessions = deps.store.sessions(id).filter(({ kind, state }) => kind === SERVICE && state !== 'ended')
  const left = servicesOf(deps, id, sandbox.name).flatMap(({ name, engineId }) => {
    const session = sessions.find(({ container }) => container !== null && container === engineId)
    return session?.service === undefined || engineId === null
      ? []
      : [{ name, engineId, session, service: session.service }]
  })
  const isWhole = settings.services.every(({ name }) => left.some(({ service }) => service === name))
  if (isWhole)
    return new OpenServices(
      left.map(
        ({ name, engineId, session, service }) =>
          new RunningService(
            deps,
            service,
            deps.engine.service({ id: engineId, name }),
            session.id,
            wanted.records,
            stopper.letGo,
          ),
      ),
    )
  await releaseServices(deps, id, sandbox.name, 'the server stopped before all services were ready')
  return openServices(deps, sandbox, wanted)
}
