import type { ExecutionId, ProjectId } from '@beadloom/core/records/ids.ts'
import type { ServiceSettings } from '@beadloom/core/environment/service-settings.ts'
import { EndedEarly, failed } from '../../execution/ends.ts'
import { EngineError } from '../../ports/engine.ts'
import type { Sandbox } from '../../ports/sandbox.ts'
import { SERVICE, type HealthCheck } from '../../ports/service.ts'
import { crashPoint } from '../../process/crash-point.ts'
import { prefixOf } from './left-services.ts'
import { RunningService } from './running-service.ts'
import type { ServiceDeps, ServiceRecords } from './service-records.ts'
import { untilReady } from './until-ready.ts'

export type WantedServices = {
  project: ProjectId
  owner: ExecutionId | null
  services: readonly ServiceSettings[]
  records: ServiceRecords
  /** Lines for people. */
  onProgress: (line: string) => void
  /** Ends the wait for them, which then rejects. */
  signal: AbortSignal
  /** Aborts when the server goes down; the services continue. */
  letGo?: AbortSignal
}

/** Services that are ready, beside one sandbox. */
export class OpenServices {
  readonly #running: readonly RunningService[]

  constructor(running: readonly RunningService[]) {
    this.#running = running
  }

  /** A sentence for each that has ended by itself, with its last lines. */
  get troubles(): string[] {
    return this.#running.flatMap((one) => {
      const how = one.howItEnded
      return how === null
        ? []
        : [`The service ${one.name} ${how} while it was needed.${one.lastLines === '' ? '' : `\n${one.lastLines}`}`]
    })
  }

  /** Never rejects. */
  async close(): Promise<void> {
    await Promise.all(this.#running.map((one) => one.close()))
  }
}

/**
 * Opens the services of a sandbox, each from its unchanged image, and waits until all are ready. If one does not become
 * ready, none stays, and the end says which one and why: that is the project's own problem.
 */
export async function openServices(deps: ServiceDeps, sandbox: Sandbox, wanted: WantedServices): Promise<OpenServices> {
  const { services, onProgress, signal } = wanted
  const running: RunningService[] = []
  const checks = new Map<string, HealthCheck | null>()
  try {
    for (const { name, image, health } of services) {
      const own = await deps.engine.serviceImage(image, { onProgress, signal })
      checks.set(name, health ?? own.health)
    }
    await sandbox.warm() // before that, there is no network to join
    onProgress(`starting ${services.map(({ name }) => name).join(', ')}`)
    for (const service of services) {
      signal.throwIfAborted()
      running.push(await openService(deps, sandbox, wanted, service))
    }
    onProgress(`waiting for ${services.map(({ name }) => name).join(', ')} to be ready`)
    await Promise.all(
      services.map(async ({ name, startTimeoutMs }, at) => {
        const one = running[at]!
        const why = await untilReady(one, checks.get(name) ?? null, startTimeoutMs, deps.clock, signal)
        if (why !== null) throw notReady(name, why, one.lastLines)
      }),
    )
    return new OpenServices(running)
  } catch (error) {
    await new OpenServices(running).close()
    throw error
  }
}

async function openService(
  deps: ServiceDeps,
  sandbox: Sandbox,
  { project, owner, records, letGo }: WantedServices,
  { name: service, ...settings }: ServiceSettings,
): Promise<RunningService> {
  const { store } = deps
  const { image, env, command, cpus, memoryBytes, processes } = settings
  const name = freeName(deps, `${prefixOf(sandbox.name)}${service}`)
  // Stored first: a server that dies in between leaves no unknown container.
  const { name: engine } = deps.engine
  await store.addContainer({ name, engine, project, environment: null, purpose: SERVICE, owner, keepsWork: false })
  try {
    const opened = await deps.engine.openService(sandbox, {
      name,
      owner,
      image,
      env,
      command,
      cpus,
      memoryBytes,
      processes,
    })
    await store.containerCreated(name, opened.id)
    crashPoint('after-create')
    await opened.start()
    const session = await records.begin(service)
    await records.running(session, opened.id)
    return new RunningService(deps, service, opened, session, records, letGo)
  } catch (error) {
    await store.releaseContainer(name)
    if (error instanceof EngineError && error.kind === 'refused') throw notReady(service, startTrouble(error), '')
    throw error
  }
}

/** Finds a name that is not taken by one that could not be removed yet. */
function freeName({ store }: ServiceDeps, wanted: string): string {
  let name = wanted
  for (let number = 2; store.container(name) !== null; number++) name = `${wanted}-${number}`
  return name
}

const startTrouble = ({ message }: EngineError): string =>
  `could not be started: ${message.slice(0, 500).replace(/[.\s]+$/, '')}`

export const notReady = (service: string, detail: string, lastLines: string): EndedEarly =>
  new EndedEarly(failed({ kind: 'service_failed', service, detail }, lastLines === '' ? '' : `\n${lastLines}`))
